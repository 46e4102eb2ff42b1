import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';

/** File below a folder. */
export interface FoundFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

/** Maximum depth of folders; a product has five levels. */
const MAX_DEPTH = 12;
/** Maximum number of files: far more than the products of a year have. */
export const MOST_FILES = 200_000;

/**
 * Lists the files below a folder in the order of their names. A folder with several links to it is read once. Skips
 * hidden files and folders, and `__MACOSX`. Also skips folders that are unreadable, that `enters` refuses, or that are
 * more than 12 levels below. `isWhole` is false if there are more files than `most`.
 */
export async function walkFolder(
  folder: string,
  enters: (folder: string, names: readonly string[]) => boolean,
  most = MOST_FILES,
): Promise<{ readonly files: readonly FoundFile[]; readonly isWhole: boolean }> {
  const files: FoundFile[] = [];
  let isWhole = true;
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
      else if (found?.isFile() === true && files.length === most) isWhole = false;
      else if (found?.isFile() === true) files.push({ path, bytes: found.size, modifiedMs: found.mtimeMs });
    }
  };
  await visit(folder, 0);
  return { files, isWhole };
}
