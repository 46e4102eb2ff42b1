import { realpath } from 'node:fs/promises';
import { sep } from 'node:path';

/** Where a file or folder really lies; one that is not there lies where its name says. */
export const realPath = (path: string): Promise<string> => realpath(path).catch(() => path);

/** True for what lies below a folder, by real paths. */
export const liesIn = (path: string, folder: string): boolean =>
  path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
