import { isStorable } from '@headwater/core/values';
import { z } from 'zod';
import { LANGUAGES } from './words.ts';
import { sentences } from './sentences.ts';

/** Text of a request: 1 to `max` characters, without NUL and lone surrogates. */
export function text(max: number): z.ZodType<string> {
  return textOrNone(max).min(1, sentences.blank);
}

/** Same as `text`, but may be empty. */
export function textOrNone(max: number): z.ZodString {
  return z.string(sentences.notText).max(max, sentences.tooLong(max)).refine(isStorable, sentences.notStorableText);
}

const DIGITS = /^[0-9]{1,10}$/;
/** Maximum of PostgreSQL's `integer`, the type of ids. */
const INT4_MAX = 2_147_483_647;

/**
 * Decimal text of an integer from `min` to `max`. Other values are refused; `notDigits` is the message for a text that
 * is not 1 to 10 digits.
 */
export function integerText(
  min: number,
  max = INT4_MAX,
  notDigits: string = sentences.notInteger,
): z.ZodType<number, string> {
  const read = z.string().regex(DIGITS, notDigits).transform(Number).pipe(within(min, max));
  return numberInDocument(read, { type: 'integer', minimum: min, maximum: max });
}

interface DocumentedNumber {
  readonly type: 'integer' | 'number';
  readonly minimum?: number;
  readonly maximum?: number;
}

/** Describes a schema as a number in OpenAPI. Addresses contain only texts, so the schema still reads a text. */
export function numberInDocument<O, I>(schema: z.ZodType<O, I>, documented: DocumentedNumber): z.ZodType<O, I> {
  return schema.meta({ ...documented });
}

const within = (min: number, max: number): z.ZodInt =>
  z.int().min(min, `Must be at least ${min}.`).max(max, `Must be at most ${max}.`);

/** Id in a body: a number from 1, or its digits as text, which dashboards and forms send. */
export const idOrText = z
  .union([z.int(), z.string().regex(DIGITS)], sentences.notInteger)
  .transform(Number)
  .pipe(within(1, INT4_MAX));

/** Converts `true` and `1` to true, `false` and `0` to false. */
export const booleanText: z.ZodType<boolean, string> = z
  .enum(['true', 'false', '1', '0'], sentences.notBoolean)
  .transform((value) => value === 'true' || value === '1')
  .pipe(z.boolean());

/** Parameter with a page's language. */
export const lang = z
  .enum(LANGUAGES, `Must be ${LANGUAGES.join(' or ')}.`)
  .optional()
  .describe('Language of the page; default: by `Accept-Language`, otherwise English.');
