import { z, type ZodType } from 'zod';
import { numberInDocument } from '../../../wire/text.ts';

/** Result for a value that cannot be read, with the sentence for the sender. */
export class Refusal {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** Creates a schema that converts its values with `read`. A `Refusal` makes the value invalid. */
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
/** Maximum number of Items on a page, which usually reaches its limit in bytes earlier. */
export const MOST_ITEMS = 10_000;

const FORM = 'Write a whole number, 1 or more; a number above the maximum counts as the maximum.';

/** Number of entries of a page. Numbers above `most` count as `most`. */
export function limitParameter(most: number): ZodType<number, string> {
  const read = reading(z.string(), (text) => readLimitText(text, most));
  return numberInDocument(read, { type: 'integer', minimum: 1 });
}

/** Numbers above `most` count as `most`. */
function readLimitText(text: string, most: number): number | Refusal {
  return /^\d+$/.test(text) ? readLimit(Number(text), most) : new Refusal(FORM);
}

/** Reads a limit from a number. Numbers above `most` count as `most`. */
export function readLimit(number: number, most: number): number | Refusal {
  if (number < 1 || !(Number.isInteger(number) || number > most)) return new Refusal(FORM);
  return Math.min(number, most);
}
