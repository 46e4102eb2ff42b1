import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { LINES } from './list-files.ts';
import { ReadError } from './read-error.ts';

/** What an argument means. */
export type Source =
  | { readonly kind: 'url'; readonly href: string }
  | { readonly kind: 'file' | 'lines' | 'folder'; readonly path: string };

/** What a path or an address means. Throws `ReadError` where there is no such file, or the address is of another kind. */
export async function sourceOf(text: string): Promise<Source> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') {
    if (!URL.canParse(text)) throw new ReadError(`${text} is no address`);
    return { kind: 'url', href: new URL(text).href };
  }
  if (scheme !== undefined)
    throw new ReadError(`${text}: give a path, or an address that begins with http:// or https://`);
  const path = resolve(text);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return { kind: 'folder', path };
  if (found?.isFile() === true) return { kind: LINES.test(path) ? 'lines' : 'file', path };
  throw new ReadError(`there is no file or folder ${text}; check its name`);
}

/** Address of a file. */
export const fileHref = (path: string): string => pathToFileURL(path).href;
