import { isStacError, stacText } from '@headwater/stac';
import { TreeError } from '../errors.ts';

/**
 * Canonical JSON text of a document. Throws `TreeError` for a value that JSON cannot express, such as the Infinity as
 * which `1e400` is parsed.
 */
export function documentText(document: object, href: string): string {
  try {
    return stacText(document);
  } catch (error) {
    if (isStacError(error)) throw new TreeError(`${href}#${error.message}`);
    throw error;
  }
}
