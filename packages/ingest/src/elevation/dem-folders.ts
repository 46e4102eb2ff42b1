import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A GeoTIFF of a folder, and a text that changes when it is replaced. */
export interface DemFile {
  readonly path: string;
  readonly version: string;
}

/** A folder with GeoTIFFs of one data set. */
export interface DemFolder {
  readonly path: string;
  readonly files: readonly DemFile[];
}

/** The folder itself and those within it, by name; only those with GeoTIFFs. No folder is no elevation. */
export async function demFolders(root: string): Promise<readonly DemFolder[]> {
  const own = await realpath(root).catch(() => undefined);
  if (own === undefined) return [];
  const entries = await readdir(own, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const paths = [own, ...below.toSorted().map((name) => join(own, name))];
  const folders = await Promise.all(paths.map(async (path) => ({ path, files: await demFiles(path) })));
  return folders.filter(({ files }) => files.length > 0);
}

async function demFiles(folder: string): Promise<readonly DemFile[]> {
  const names = (await readdir(folder).catch(() => [])).filter((name) => /\.tiff?$/i.test(name)).toSorted();
  const files = await Promise.all(
    names.map(async (name): Promise<readonly DemFile[]> => {
      const path = join(folder, name);
      const status = await stat(path).catch(() => undefined);
      return status?.isFile() === true ? [{ path, version: `${status.size}-${status.mtimeMs}` }] : [];
    }),
  );
  return files.flat();
}
