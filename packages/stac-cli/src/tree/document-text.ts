import { isStacError, stacText } from '@headwater/stac';
import { TreeError } from './tree-error.ts';

/** A document as text. Throws `TreeError` that names it where it holds what no text can say again: `1e400` is read as infinite. */
export function documentText(document: object, href: string): string {
  try {
    return stacText(document);
  } catch (error) {
    if (isStacError(error)) throw new TreeError(`${href}#${error.message}`);
    throw error;
  }
}
