import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { rootIn } from '../scenes/catalogue-folders.ts';

/** A folder of elevations: GeoTIFFs of one data set, or a static STAC catalogue, whose links then tell the files. */
export interface DemFolder {
  readonly path: string;
  /** Path of its catalog.json or collection.json. */
  readonly catalogue: string | undefined;
  /** Paths of its GeoTIFFs. */
  readonly files: readonly string[];
}

/** The folder itself and those within it, by name; only those with a catalogue or GeoTIFFs. No folder is no elevation. */
export async function demFolders(root: string): Promise<readonly DemFolder[]> {
  const own = await realpath(root).catch(() => undefined);
  if (own === undefined) return [];
  const entries = await readdir(own, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const paths = [own, ...below.toSorted().map((name) => join(own, name))];
  const folders = await Promise.all(paths.map(demFolder));
  return folders.filter(({ catalogue, files }) => catalogue !== undefined || files.length > 0);
}

async function demFolder(path: string): Promise<DemFolder> {
  const [[catalogue], names] = await Promise.all([rootIn(path), readdir(path).catch(() => [])]);
  const files = names.filter((name) => /\.tiff?$/i.test(name)).toSorted();
  return { path, catalogue, files: files.map((name) => join(path, name)) };
}
