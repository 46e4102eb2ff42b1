import { StacError } from '../errors.ts';
import { copied } from '../json.ts';
import { describeNonJsonValue, findNonJsonValue } from '../text/non-json-value.ts';
import { assertValid } from '../validate/assert-valid.ts';

/** Options of building a Collection or Catalog. */
export interface BuildOptions {
  /** Validates the result; default true. False is only for documents that were validated before. */
  readonly validate?: boolean;
}

/**
 * Finishes a built document: replaces -0 by 0, then validates. Throws `StacError` for findings and for numbers outside
 * JSON.
 */
export function finishDocument<T extends object>(document: T, { validate = true }: BuildOptions = {}): T {
  const found = findNonJsonValue(document);
  if (found !== undefined) throw new StacError(describeNonJsonValue(found));
  withoutMinusZero(document);
  if (validate) assertValid(document, 'headwater');
  return document;
}

/** Deep copy of a caller's value. Throws `StacError` with the pointer for values outside JSON, such as a cycle. */
export function ownCopy<T>(value: T, pointer: string): T {
  const found = findNonJsonValue(value);
  if (found !== undefined) throw new StacError(describeNonJsonValue(found, pointer));
  return copied(value);
}

function withoutMinusZero(node: object): void {
  for (const key of Object.keys(node)) {
    const value: unknown = Reflect.get(node, key);
    if (Object.is(value, -0)) Reflect.set(node, key, 0);
    else if (typeof value === 'object' && value !== null) withoutMinusZero(value);
  }
}
