import { isDomainError } from '@headwater/core';
import { type Say, sentenceIn, type TextName } from '../pages/texts.ts';
import { durationText } from '../pages/words.ts';
import { wireName } from '../wire/names.ts';
import { sentenceOf } from '../wire/sentences.ts';
import type { Reader } from './replies.ts';

/** A refusal after which the user can try again: its status, `Retry-After`, and the sentence of the page. */
export interface Waiting {
  readonly status: 429 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly sentence: string;
}

/** Reads a refusal by a limit; undefined for any other error. `throttled`: name of the sentence about too many attempts, with `{wait}`. */
export function waitingOf(error: unknown, say: Say, throttled: TextName): Waiting | undefined {
  if (!isDomainError(error) || (error.code !== 'throttled' && error.code !== 'unavailable')) return undefined;
  const { retryAfterSeconds } = error.details;
  if (typeof retryAfterSeconds !== 'number') return undefined;
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const isThrottled = error.code === 'throttled';
  return {
    status: isThrottled ? 429 : 503,
    headers: { 'retry-after': String(seconds) },
    sentence: say(isThrottled ? throttled : 'busy', { wait: durationText(seconds, say) }),
  };
}

/**
 * Sentences about the fields of a refused form in the language of its reader, by the field's name on the wire; undefined for an
 * error that is about no field. The error for a name that is already taken also counts as an error about a field.
 */
export function fieldSentences(
  error: unknown,
  { language }: Pick<Reader, 'language'>,
): Readonly<Record<string, readonly string[]>> | undefined {
  if (!isDomainError(error) || (error.code !== 'validation' && error.code !== 'conflict')) return undefined;
  const entries = Object.entries(error.fields).map(
    ([field, problems]) =>
      [wireName(field), problems.map((problem) => sentenceIn(sentenceOf(problem, field), language))] as const,
  );
  return entries.length === 0 ? undefined : Object.fromEntries(entries);
}
