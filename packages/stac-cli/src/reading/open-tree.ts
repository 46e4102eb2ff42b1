import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isObject, linksOf, type JsonObject } from '@headwater/stac';
import type { DocumentTree } from '../tree/walk.ts';
import { listFiles } from './source.ts';
import { ReadError } from '../errors.ts';
import { createReader, type ReaderOptions } from './reader.ts';
import { fileHref, sourceOf } from './source.ts';

/** A tree, and the addresses of its documents if they can be listed. */
export interface OpenTree extends DocumentTree {
  readonly documents?: readonly string[];
}

/** Options for reading a tree. */
export type TreeOptions = Omit<ReaderOptions, 'from'>;

const ROOTS = ['catalog.json', 'collection.json'];

/**
 * Opens the tree whose root a path or an address names: the root's file, a folder with `catalog.json` or `collection.json`, or
 * the address of the root. Throws `ReadError` if the root cannot be read.
 */
export async function openTree(text: string, options: TreeOptions = {}): Promise<OpenTree> {
  const source = await sourceOf(text);
  if (source.kind === 'lines') throw new ReadError(`${text}: a file of lines is not a tree; give the root document`);
  const listed = source.kind === 'folder' ? await listFiles(source.path) : undefined;
  const start = source.kind === 'url' ? source.href : fileHref(rootFile(source.path, listed));
  const reader = createReader({ ...options, from: start });
  // The address after redirects becomes the address of the root, because relative links are resolved against it.
  const found = await reader.find(start);
  if (found === undefined) throw new ReadError(`there is no document at ${start}; check the address`);
  if (!isObject(found.value)) throw new ReadError(`${start} is not a STAC document; give a Catalog or a Collection`);
  const documents = listed?.filter((path) => /\.(?:geo)?json$/i.test(path)).map(fileHref);
  const moved = new Map<string, string>();
  return {
    root: ownAddress(found.href, found.value),
    async read(href) {
      const each = await reader.find(href);
      if (each !== undefined && each.href !== href) moved.set(href, each.href);
      return each?.value;
    },
    foundAt: (href) => moved.get(href) ?? canonicalHref(href),
    ...(documents === undefined ? {} : { documents }),
  };
}

/**
 * The address of a file in one fixed spelling, which listed files also have: `[1]` and `%5B1%5D` name the same file.
 */
function canonicalHref(href: string): string {
  if (!href.startsWith('file:')) return href;
  try {
    return fileHref(fileURLToPath(href));
  } catch {
    return href;
  }
}

/**
 * Returns the address of a document, with or without a slash at the end as in the document's self link. A server may
 * respond to both addresses.
 */
function ownAddress(href: string, document: JsonObject): string {
  const self = linksOf({ href, document }).find(({ rel }) => rel === 'self')?.href;
  const plain = (address: string): string => address.replace(/\/$/, '');
  return self !== undefined && plain(self) === plain(href) ? self : href;
}

function rootFile(path: string, listed: readonly string[] | undefined): string {
  if (listed === undefined) return path;
  const root = ROOTS.map((name) => join(path, name)).find((each) => listed.includes(each));
  if (root !== undefined) return root;
  throw new ReadError(`${path} contains neither ${ROOTS.join(' nor ')}; give the root document`);
}
