import { isDomainError } from '@headwater/core';
import { wireName } from '../wire/names.ts';
import { sentenceOf } from '../wire/sentences.ts';

/**
 * Sentences about the fields of a refused form, by the field's name on the wire; undefined for an error that is about no field. A name that
 * is taken counts as a field of the form.
 */
export function fieldSentences(error: unknown): Readonly<Record<string, readonly string[]>> | undefined {
  if (!isDomainError(error) || (error.code !== 'validation' && error.code !== 'conflict')) return undefined;
  const entries = Object.entries(error.fields).map(
    ([field, problems]) => [wireName(field), problems.map((problem) => sentenceOf(problem, field))] as const,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
