import { readdir, realpath, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DomainError } from '@headwater/core/errors';

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
const MAX_FILES = 200_000;

/**
 * Lists the files below a folder by name; reads linked folders once. Skips hidden and unreadable folders, and folders
 * that `enters` refuses. Throws `input_data` for too many files.
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
      if (found?.isFile() !== true) continue;
      if (files.length === MAX_FILES)
        throw new DomainError(
          'input_data',
          `${folder}: it has more than ${MAX_FILES} files; name a folder with fewer files`,
        );
      files.push({ path, bytes: found.size, modifiedMs: found.mtimeMs });
    }
  };
  await visit(folder, 0);
  return files;
}
