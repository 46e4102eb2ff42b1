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
 * Opens a tree by its root: a file, a folder with `catalog.json` or `collection.json`, or an address. Throws
 * `ReadError`.
 */
export async function openTree(text: string, options: TreeOptions = {}): Promise<OpenTree> {
  const source = await sourceOf(text);
  if (source.kind === 'lines') throw new ReadError(`${text}: a file of lines is not a tree; give the root document`);
  const listed = source.kind === 'folder' ? await listFiles(source.path) : undefined;
  const start = source.kind === 'url' ? source.href : fileHref(rootFile(source.path, listed));
  const reader = createReader({ ...options, from: start });
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

/** Address of a file in one spelling, because `[1]` and `%5B1%5D` name the same file. */
function canonicalHref(href: string): string {
  if (!href.startsWith('file:')) return href;
  try {
    return fileHref(fileURLToPath(href));
  } catch {
    return href;
  }
}

/** Address of a document, with or without a final slash as in the self link. */
function ownAddress(href: string, document: JsonObject): string {
  const self = linksOf({ href, document }).find(({ rel }) => rel === 'self')?.href;
  const plain = (address: string): string => address.replace(/\/$/, '');
  return self !== undefined && plain(self) === plain(href) ? self : href;
}

function rootFile(path: string, listed: readonly string[] | undefined): string {
  if (listed === undefined) return path;
  const root = ROOTS.map((name) => join(path, name)).find((each) => listed.includes(each));
  if (root !== undefined) return root;
  throw new ReadError(`${path} contains neither ${ROOTS.join(' nor ')}; name the file of the catalogue's root`);
}
