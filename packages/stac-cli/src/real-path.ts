import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** Path with symbolic links resolved; the path itself if it does not exist. */
export const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True if a path is below a folder; both must be real paths. */
export const liesIn = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
