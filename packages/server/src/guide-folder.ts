import type { Guide } from '@headwater/http-service';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of a checkout in which `npm run docs` builds the documentation site. */
const BUILT = fileURLToPath(new URL('../../../docs/site/dist/', import.meta.url));

/**
 * Pattern of the names of files and folders that are served. A name begins with a letter, a digit, `_` or `@`, so no path leaves
 * the folder and no hidden file is read.
 */
const NAME = /^[\w@][\w@.-]*$/;

/** The documentation site in a folder. The folder may be built or replaced while the server runs. */
export function guideFolder(folder = BUILT): Guide {
  return {
    open: async (path) => {
      if (!path.split('/').every((name) => NAME.test(name))) return undefined;
      const file = join(folder, path);
      const facts = await stat(file).catch(() => undefined);
      if (facts?.isFile() !== true) return undefined;
      return { version: `${facts.mtimeMs}-${facts.size}`, read: async () => await readFile(file) };
    },
  };
}
