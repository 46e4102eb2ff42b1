import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '@headwater/net/files';

const MAX_DEPTH = 4;

/** Root files of a catalogue, in order of precedence. If a folder has both, catalog.json links to collection.json. */
const ROOTS = ['catalog.json', 'collection.json'] as const;

/** List with the root file of a folder's catalogue; empty if the folder has no catalogue. */
export async function rootIn(folder: string): Promise<readonly string[]> {
  for (const name of ROOTS) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return [file];
  }
  return [];
}

/**
 * Root files of all catalogues in and below `folder`, at most four levels below. Folders below a root file (except a
 * root file of `folder` itself) are not searched, because the catalogue's links find their files.
 */
export async function catalogues(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = await rootIn(folder);
  // Subfolders of the top folder are searched even if it has a catalogue, because they may have other catalogues.
  if ((own.length > 0 && depth > 0) || depth >= MAX_DEPTH) return own;
  const folders = entries.filter((entry) => entry.isDirectory() || (depth === 0 && entry.isSymbolicLink()));
  const below = await Promise.all(folders.map((entry) => catalogues(join(folder, entry.name), depth + 1)));
  return [...own, ...below.flat()].sort();
}

/**
 * Allowed folders of local files: the folder, and targets of links in it, such as other disks. A link to a parent is
 * ignored, because otherwise all files next to the folder would be allowed.
 */
export async function realFolders(folder: string): Promise<readonly string[]> {
  const own = await realpath(folder).catch(() => undefined);
  if (own === undefined) return [];
  const entries = await readdir(own, { withFileTypes: true }).catch(() => []);
  const linked = await Promise.all(
    entries.filter((entry) => entry.isSymbolicLink()).map(({ name }) => realFolder(join(own, name))),
  );
  return [own, ...linked.flatMap((path) => (path === undefined || isInside(path, own) ? [] : [path]))];
}

/**
 * Object with `source`: the path relative to `folder`, which stays valid when the folder is moved. Empty object for an
 * `href` outside of the folder.
 */
export const sourceIn = (folder: string, href: string): { readonly source?: string } =>
  isInside(folder, href) ? { source: relative(folder, href) } : {};

async function realFolder(link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  const status = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return status?.isDirectory() === true ? path : undefined;
}
