import { z, type ZodType } from 'zod';

/** A value that cannot be read, with the sentence that says so. */
export class Refusal {
  readonly sentence: string;

  constructor(sentence: string) {
    this.sentence = sentence;
  }
}

/** A schema whose values are read further by a function, which may refuse them. */
export function reading<I, O, T>(schema: ZodType<O, I>, read: (value: O) => T | Refusal): ZodType<T, I> {
  return schema.transform((value, context): T => {
    const found = read(value);
    if (!(found instanceof Refusal)) return found;
    context.addIssue({ code: 'custom', message: found.sentence });
    return z.NEVER;
  });
}

/** The value of a JSON text; undefined where it is none. */
export function parsedJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Slow clients are those that take tiny pages: this many where nothing is said. */
export const DEFAULT_LIMIT = 100;
/** A page is bounded by its bytes long before; no store is asked for more. */
export const MOST_ITEMS = 10_000;

const FORM = 'Write a whole number from 1 on; more than a page may hold is taken as that many.';

/** Digits -> how many at most; above `most` it is `most`. */
export function readLimitText(text: string, most: number): number | Refusal {
  return /^\d+$/.test(text) ? readLimit(Number(text), most) : new Refusal(FORM);
}

/** The same of a number. */
export function readLimit(number: number, most: number): number | Refusal {
  if (number < 1 || !(Number.isInteger(number) || number > most)) return new Refusal(FORM);
  return Math.min(number, most);
}
