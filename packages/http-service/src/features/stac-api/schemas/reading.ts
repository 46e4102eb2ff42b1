import { z, type ZodType } from 'zod';
import { numberInDocument } from '../../../wire/text.ts';

/** Result of reading an invalid value, with a sentence for the client. */
export class Refusal {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** Creates a schema that converts its values with `read`. If `read` returns a `Refusal`, the value is invalid. */
export function reading<I, O, T>(schema: ZodType<O, I>, read: (value: O) => T | Refusal): ZodType<T, I> {
  return schema.transform((value, context): T => {
    const result = read(value);
    if (!(result instanceof Refusal)) return result;
    context.addIssue({ code: 'custom', message: result.sentence });
    return z.NEVER;
  });
}

/** Parses JSON; undefined if the text is not JSON. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Default number of Items on a page. Clients are slow with many small pages. */
export const DEFAULT_LIMIT = 100;
/** Maximum number of Items on a page. The limit in bytes is usually reached earlier. */
export const MOST_ITEMS = 10_000;

const FORM = 'Write a whole number, 1 or more; a number above the maximum counts as the maximum.';

/** Schema of the number of entries of a page. A number above `most` counts as `most`. */
export function limitParameter(most: number): ZodType<number, string> {
  const read = reading(z.string(), (text) => readLimitText(text, most));
  return numberInDocument(read, { type: 'integer', minimum: 1 });
}

function readLimitText(text: string, most: number): number | Refusal {
  return /^\d+$/.test(text) ? readLimit(Number(text), most) : new Refusal(FORM);
}

/** Reads a limit from a number. A number above `most` counts as `most`. */
export function readLimit(number: number, most: number): number | Refusal {
  if (number < 1 || !(Number.isInteger(number) || number > most)) return new Refusal(FORM);
  return Math.min(number, most);
}
