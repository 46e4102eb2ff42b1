import { StacError } from '../errors.ts';
import { copied } from '../json.ts';
import { describeNonJsonValue, findNonJsonValue } from '../text/non-json-value.ts';
import { assertValid } from '../validate/assert-valid.ts';

/** Options of building a Collection or Catalog. */
export interface BuildOptions {
  /**
   * Validates the result; default: true. Pass false only for parts that were validated before, for example if a
   * server builds a document again for each request.
   */
  readonly validate?: boolean;
}

/**
 * Finishes a built document. Replaces each -0 by 0, so that equal documents have equal bytes, and validates the result.
 * Throws `StacError` with a pointer for a number that JSON cannot express, because such a number would be written as
 * null. Also throws `StacError` for each error that the validator finds.
 */
export function finishDocument<T extends object>(document: T, { validate = true }: BuildOptions = {}): T {
  const found = findNonJsonValue(document);
  if (found !== undefined) throw new StacError(describeNonJsonValue(found));
  withoutMinusZero(document);
  if (validate) assertValid(document, 'headwater');
  return document;
}

/**
 * A deep copy of the caller's value for the member at `pointer`. Throws `StacError` with a pointer for a value that
 * JSON cannot express, such as a cycle.
 */
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
