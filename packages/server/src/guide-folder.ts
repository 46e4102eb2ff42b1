import type { Guide } from '@headwater/http-service';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Folder of the documentation site, which `npm run docs` builds in a checkout. */
const BUILT = fileURLToPath(new URL('../../../docs/site/dist/', import.meta.url));

/** Allowed names in a path. With these names, no path leaves the folder, and no hidden file is read. */
const NAME = /^[\w@][\w@.-]*$/;

/** Documentation site in a folder, which may be replaced while the server runs. */
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
