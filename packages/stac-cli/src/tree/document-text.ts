import { isStacError, stacText } from '@headwater/stac';
import { TreeError } from '../errors.ts';

/**
 * Canonical JSON text of a document. Throws `TreeError` for a value that JSON cannot express. An example is the
 * number `1e400`, which is parsed as Infinity.
 */
export function documentText(document: object, href: string): string {
  try {
    return stacText(document);
  } catch (error) {
    if (isStacError(error)) throw new TreeError(`${href}#${error.message}`);
    throw error;
  }
}
