/** The values of one statement that is made of parts: nothing of a caller's stands in its text. */
export interface Parameters {
  readonly values: readonly Value[];
  /** Takes a value and returns its placeholder. */
  readonly add: (value: Value) => string;
}

type Value = string | number | boolean | null | readonly string[];

/** No values yet. */
export function createParameters(): Parameters {
  const values: Value[] = [];
  return { values, add: (value) => `$${values.push(value)}` };
}
