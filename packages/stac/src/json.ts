/** Plain JSON value. */
export type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

/** A list with at least one element. */
export type NonEmpty<T> = readonly [T, ...T[]];

/** A JSON object whose members are yet to be checked. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** True for an object that is neither null nor an array. */
export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** True for a list; its elements are yet to be checked. */
export function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}

/** True for a text with something in it besides blanks. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== '';
}
