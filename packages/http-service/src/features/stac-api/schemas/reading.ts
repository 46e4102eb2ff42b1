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
