import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout } from './read-version.ts';

/**
 * Folder of the cache, next to the code itself. The place is safe, because a user who can write to this folder can also change the code.
 */
const FOLDER = fileURLToPath(
  new URL(isCheckout() ? '../../../node_modules/.cache/headwater' : '../../../.cache/headwater', import.meta.url),
);

/**
 * Caches the compiled modules of threads and processes that start later, in `node_modules/.cache`. A run starts several threads. Without
 * the cache each thread compiles its modules again, which takes 100 to 300 ms of processor time. With the cache, a thread needs 40 to 100
 * ms. Node also works if it cannot write to the folder. If NODE_COMPILE_CACHE is already set, it is not changed. This process itself does
 * not use the cache, because it loads its modules only once, and would write 2,000 files when it stops.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, folder = FOLDER): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return;
  env['NODE_COMPILE_CACHE'] = folder;
  removeOtherVersions(folder);
}

/**
 * Removes the caches of other Node versions. Each version of Node creates a folder of some megabytes (`v24.1.0-x64-..`) and never removes
 * this folder. The folder of the present version need not be removed: it does not grow, because the code of a changed module replaces the
 * cached code.
 */
function removeOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const isOther = /^v\d/.test(name) && !name.startsWith(`${process.version}-`);
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The folder does not exist yet, or this user cannot write to it. The error is ignored, because old caches only use disk space.
  }
}
