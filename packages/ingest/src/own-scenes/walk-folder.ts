import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** A file below a folder. */
export interface FoundFile {
  /** Absolute path. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Depth of folders in which files are searched; a product has five levels. */
const MAX_DEPTH = 12;
/** Most files, many times those of a year of products. */
const MAX_FILES = 200_000;

/**
 * Lists the files below a folder in the order of their names. Links are followed, each folder is read once, hidden ones are skipped, and so
 * are folders that `enters` refuses. Folders that cannot be read have no files.
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
