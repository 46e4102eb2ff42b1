import { readdir, stat } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ReadError } from '../errors.ts';

const DOCUMENT = /\.(?:geo)?json$/i;
export const LINES = /\.(?:ndjson|jsonl|geojsonl)$/i;

/** Sorted paths of document files, without hidden files, `node_modules` and symbolic links. */
export async function listFiles(folder: string): Promise<readonly string[]> {
  const files: string[] = [];
  const open = [folder];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    for (const entry of await readdir(path, { withFileTypes: true })) {
      if (entry.name.startsWith('.') || entry.name === 'node_modules') continue;
      const below = join(path, entry.name);
      if (entry.isDirectory()) open.push(below);
      else if (entry.isFile() && (DOCUMENT.test(entry.name) || LINES.test(entry.name))) files.push(below);
    }
  }
  return files.sort();
}

/** Kind and address of an input. */
export type Source =
  | { readonly kind: 'url'; readonly href: string }
  | { readonly kind: 'file' | 'lines' | 'folder'; readonly path: string };

/** Kind of a path or address. Throws `ReadError` for a missing file and for an address that is not http(s). */
export async function sourceOf(text: string): Promise<Source> {
  const scheme = /^([a-z][a-z0-9+.-]+):\/\//i.exec(text)?.[1]?.toLowerCase();
  if (scheme === 'http' || scheme === 'https') {
    if (!URL.canParse(text)) throw new ReadError(`${text} is not a valid address; check its spelling`);
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
