import { StacError } from '../errors.ts';
import { findUnwritable } from '../text/unwritable.ts';
import { brief } from '../validate/report.ts';

/**
 * Makes every -0 in a document that was just built a 0, so that equal documents have equal bytes. Throws `StacError` that points
 * to a number that JSON has no form for: it would be read back as null.
 */
export function tidied<T extends object>(document: T): T {
  const found = findUnwritable(document);
  if (found !== undefined)
    throw new StacError(
      `${found.pointer}: JSON has no form for ${brief(found.value)}; give another value or leave it out`,
    );
  withoutMinusZero(document);
  return document;
}

function withoutMinusZero(node: object): void {
  for (const key of Object.keys(node)) {
    const value: unknown = Reflect.get(node, key);
    if (Object.is(value, -0)) Reflect.set(node, key, 0);
    else if (typeof value === 'object' && value !== null) withoutMinusZero(value);
  }
}
