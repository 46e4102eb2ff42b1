import { StacError } from '../errors.ts';
import { at, brief } from '../validate/report.ts';

/**
 * Makes every -0 in a document that was just built a 0, so that equal documents have equal bytes. Throws `StacError` that points
 * to a number that JSON has no form for: it would be read back as null.
 */
export function tidied<T extends object>(document: T): T {
  tidy(document, '');
  return document;
}

function tidy(node: object, base: string): void {
  for (const [key, value] of Object.entries(node) as readonly (readonly [string, unknown])[]) {
    if (typeof value === 'number' && !Number.isFinite(value))
      throw new StacError(`${at(base, key)}: ${brief(value)} is no number in JSON; give a finite one or leave it out`);
    if (Object.is(value, -0)) Reflect.set(node, key, 0);
    if (typeof value === 'object' && value !== null) tidy(value, at(base, key));
  }
}
