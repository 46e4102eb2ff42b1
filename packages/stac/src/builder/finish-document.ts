import { StacError } from '../errors.ts';
import { copied } from '../json.ts';
import { describeNonJsonValue, findNonJsonValue } from '../text/non-json-value.ts';
import { assertValid } from '../validate/assert-valid.ts';

/** Options of building a Collection or Catalog. */
export interface BuildOptions {
  /** Validates the result; default true. Pass false only for parts that were validated before. */
  readonly validate?: boolean;
}

/**
 * Replaces -0 by 0 and validates a built document. Throws one `StacError` with all errors. Also throws for a value
 * that JSON cannot express.
 */
export function finishDocument<T extends object>(document: T, { validate = true }: BuildOptions = {}): T {
  const found = findNonJsonValue(document);
  if (found !== undefined) throw new StacError(describeNonJsonValue(found));
  withoutMinusZero(document);
  if (validate) assertValid(document, 'headwater');
  return document;
}

/** Deep copy of a value. Throws `StacError` for a value that JSON cannot express, such as a cycle. */
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
