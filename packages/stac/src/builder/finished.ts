import { StacError } from '../errors.ts';
import { copied } from '../json.ts';
import { describeUnwritable, findUnwritable } from '../text/unwritable.ts';
import { assertValid } from '../validate/assert-valid.ts';

/** How a Collection or Catalog is built. */
export interface BuildOptions {
  /** False where the same is built again and again of parts that were validated before, as a server does for each request; default: true. */
  readonly validate?: boolean;
}

/**
 * A document that was just built, with every -0 in it a 0, so that equal documents have equal bytes. Throws `StacError` that
 * points to a number that JSON has no form for (it would be read back as null), and to all that the validator refuses: what
 * a builder gives conforms, whatever its caller gave.
 */
export function finished<T extends object>(document: T, { validate = true }: BuildOptions = {}): T {
  const found = findUnwritable(document);
  if (found !== undefined) throw new StacError(describeUnwritable(found));
  withoutMinusZero(document);
  if (validate) assertValid(document, 'headwater');
  return document;
}

/**
 * A copy of what a caller gives for the member at `pointer`, of which nothing is shared. Throws `StacError` that points to what JSON
 * has no form for, before the copy runs into what holds itself.
 */
export function ownCopy<T>(value: T, pointer: string): T {
  const found = findUnwritable(value);
  if (found !== undefined) throw new StacError(describeUnwritable(found, pointer));
  return copied(value);
}

function withoutMinusZero(node: object): void {
  for (const key of Object.keys(node)) {
    const value: unknown = Reflect.get(node, key);
    if (Object.is(value, -0)) Reflect.set(node, key, 0);
    else if (typeof value === 'object' && value !== null) withoutMinusZero(value);
  }
}
