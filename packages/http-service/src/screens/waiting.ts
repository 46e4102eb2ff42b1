import { isDomainError } from '@headwater/core';
import { type Say, sentenceIn, type TextName } from '../pages/texts.ts';
import { durationText } from '../pages/words.ts';
import { wireName } from '../wire/names.ts';
import { sentenceOf } from '../wire/sentences.ts';
import type { Reader } from './replies.ts';

/** Refusal after which the user can try again. */
export interface Waiting {
  readonly status: 429 | 503;
  readonly headers: Readonly<Record<string, string>>;
  readonly sentence: string;
}

/**
 * Reads a refusal by a limit or by a busy service; undefined for other errors. `throttled`: text about too many
 * attempts, with `{wait}`. Too many simultaneous attempts have the text of a busy service.
 */
export function waitingOf(error: unknown, say: Say, throttled: TextName): Waiting | undefined {
  if (!isDomainError(error) || (error.code !== 'throttled' && error.code !== 'unavailable')) return undefined;
  const { retryAfterSeconds, isSimultaneous } = error.details;
  if (typeof retryAfterSeconds !== 'number') return undefined;
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  const isThrottled = error.code === 'throttled';
  return {
    status: isThrottled ? 429 : 503,
    headers: { 'retry-after': String(seconds) },
    sentence: say(isThrottled && isSimultaneous !== true ? throttled : 'busy', { wait: durationText(seconds, say) }),
  };
}

/**
 * Sentences about the fields of a refused form, by the field's name on the wire; undefined for an error without fields.
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
