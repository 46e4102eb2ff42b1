import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file below a folder. */
export interface FoundFile {
  /** Absolute path of the file. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Maximum depth of the searched folders. A product has folders on five levels. */
const MAX_DEPTH = 12;
/** Maximum number of files. The limit is much larger than the number of files in the products of a year. */
const MAX_FILES = 200_000;

/**
 * Lists the files below a folder, sorted by name. Follows links, and reads each folder only once. Skips hidden folders and folders
 * for which `enters` returns false. A folder that cannot be read counts as empty.
 */
export async function walkFolder(
  folder: string,
  enters: (folder: string, names: readonly string[]) => boolean,
): Promise<readonly FoundFile[]> {
  const files: FoundFile[] = [];
  const seen = new Set<string>();
  const visit = async (dir: string, depth: number): Promise<void> => {
    const real = await realpath(dir).catch(() => dir);
    if (seen.has(real) || depth > MAX_DEPTH) return;
    seen.add(real);
    const names = (await readdir(dir).catch(() => [])).filter((name) => !/^(?:\.|__MACOSX$)/.test(name)).toSorted();
    if (!enters(dir, names)) return;
    for (const name of names) {
      const path = join(dir, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isDirectory() === true) await visit(path, depth + 1);
      else if (found?.isFile() === true && files.length < MAX_FILES)
        files.push({ path, bytes: found.size, modifiedMs: found.mtimeMs });
    }
  };
  await visit(folder, 0);
  return files;
}
