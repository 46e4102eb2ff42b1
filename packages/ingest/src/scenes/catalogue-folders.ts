import { readdir, realpath, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isInside } from '@headwater/net/files';

/** Maximum depth of the folders in which catalogues are searched. */
const MAX_DEPTH = 4;

/** Names of a catalogue's root file. If a folder has both files, catalog.json links to collection.json. */
const ROOTS = ['catalog.json', 'collection.json'] as const;

/** The root file of the catalogue in a folder, as a list; an empty list if there is none. */
export async function rootIn(folder: string): Promise<readonly string[]> {
  for (const name of ROOTS) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return [file];
  }
  return [];
}

/**
 * Root files of all catalogues in and below `folder`. A folder below a catalogue's root file belongs to this catalogue and is not searched: its
 * files are found by the links of the catalogue.
 */
export async function catalogues(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = await rootIn(folder);
  // The top folder is an exception: its subfolders are searched even if the top folder itself has a catalogue.
  if ((own.length > 0 && depth > 0) || depth >= MAX_DEPTH) return own;
  const folders = entries.filter((entry) => entry.isDirectory() || (depth === 0 && entry.isSymbolicLink()));
  const below = await Promise.all(folders.map((entry) => catalogues(join(folder, entry.name), depth + 1)));
  return [...own, ...below.flat()].sort();
}

/**
 * Folders, with links resolved, in which local files of catalogues are allowed: the folder itself, and the targets of links directly in
 * this folder. Such links are allowed, because catalogues may be on another disk. A link to a parent of the folder is ignored, because it
 * would allow all files next to the folder.
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
 * Member `source`: the path of a file relative to `folder`. This path does not change when the folder is moved or restored. The result is
 * empty for a file outside of the folder.
 */
export const sourceIn = (folder: string, href: string): { readonly source?: string } =>
  isInside(folder, href) ? { source: relative(folder, href) } : {};

async function realFolder(link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  const status = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return status?.isDirectory() === true ? path : undefined;
}
