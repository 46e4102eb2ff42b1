import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isInside } from '@headwater/net/files';

/** Depth of folders in which a catalogue is looked for. */
const MAX_DEPTH = 4;

/** Files that a catalogue may be rooted at; where a folder has both, the first one leads to the other. */
const ROOTS = ['catalog.json', 'collection.json'] as const;

/** The catalogue that a folder is rooted at, if any. */
export async function rootIn(folder: string): Promise<readonly string[]> {
  for (const name of ROOTS) {
    const file = join(folder, name);
    if ((await stat(file).catch(() => undefined))?.isFile() === true) return [file];
  }
  return [];
}

/**
 * Every catalog.json or collection.json under `folder`, looked up at each search; what lies below one belongs to it and is left
 * to its links.
 */
export async function catalogues(folder: string, depth = 0): Promise<readonly string[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => []);
  const own = await rootIn(folder);
  // The folder itself may hold a catalogue beside others that were dropped in.
  if ((own.length > 0 && depth > 0) || depth >= MAX_DEPTH) return own;
  const folders = entries.filter((entry) => entry.isDirectory() || (depth === 0 && entry.isSymbolicLink()));
  const below = await Promise.all(folders.map((entry) => catalogues(join(folder, entry.name), depth + 1)));
  return [...own, ...below.flat()].sort();
}

/**
 * Where local files of catalogues may lie: in the folder, and where links on its first level lead, since catalogues may be kept on
 * another disk. A link to a folder that the folder itself lies in opens nothing: all that lies beside it would be open by one slip.
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

async function realFolder(link: string): Promise<string | undefined> {
  const path = await realpath(link).catch(() => undefined);
  const status = path === undefined ? undefined : await stat(path).catch(() => undefined);
  return status?.isDirectory() === true ? path : undefined;
}
