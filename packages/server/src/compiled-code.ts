import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout } from './read-version.ts';

/** Folder of the cache, next to the code itself. This adds no risk: a user who can write there can also change the code. */
const FOLDER = fileURLToPath(
  new URL(isCheckout() ? '../../../node_modules/.cache/headwater' : '../../../.cache/headwater', import.meta.url),
);

/**
 * Caches the compiled modules of threads and processes that start later, in `node_modules/.cache`. A run starts several threads. Without
 * the cache each thread compiles its modules again, which takes 100 to 300 ms of processor time. With the cache this takes 40 to 100 ms.
 * Node also works if it cannot write to the folder. NODE_COMPILE_CACHE is not changed if it is set already. This process itself does not
 * use the cache, because it loads its modules only once, and would write 2,000 files when it stops.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, folder = FOLDER): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return;
  env['NODE_COMPILE_CACHE'] = folder;
  removeOtherVersions(folder);
}

/**
 * Removes the caches of other Node versions. Each version of Node creates a folder of some megabytes (`v24.1.0-x64-..`) and never removes
 * it. A folder does not grow: a changed module replaces its cached code.
 */
function removeOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const isOther = /^v\d/.test(name) && !name.startsWith(`${process.version}-`);
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The folder does not exist yet, or this user cannot write to it. Old caches that stay cost only disk space.
  }
}
