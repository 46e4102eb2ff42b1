import { isStacError, stacText } from '@headwater/stac';
import { TreeError } from '../errors.ts';

/** Canonical JSON of a document. Throws `TreeError` for values outside JSON, such as Infinity from `1e400`. */
export function documentText(document: object, href: string): string {
  try {
    return stacText(document);
  } catch (error) {
    if (isStacError(error)) throw new TreeError(`${href}#${error.message}`);
    throw error;
  }
}
