import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout } from './read-version.ts';

/** Folder next to the code that is compiled: a user with write access there could change that code as well. */
const FOLDER = fileURLToPath(
  new URL(isCheckout() ? '../../../node_modules/.cache/headwater' : '../../../.cache/headwater', import.meta.url),
);

/**
 * Caches the compiled modules of threads and processes that start later, in `node_modules/.cache`. A run starts several threads, and each
 * would read and compile its modules again: 40 to 100 ms of processor time with the cache, 100 to 300 ms without. If the folder cannot be
 * written, Node works without it. If NODE_COMPILE_CACHE is set already, it is not changed. This process itself is not cached: it loads its
 * modules once, and would write 2,000 files when it stops.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, folder = FOLDER): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return;
  env['NODE_COMPILE_CACHE'] = folder;
  removeOtherVersions(folder);
}

/**
 * Removes the caches of other Node versions. Node has a folder of some megabytes for each of its versions (`v24.1.0-x64-..`) and removes
 * none. A folder does not grow: a changed module replaces its cached code.
 */
function removeOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const isOther = /^v\d/.test(name) && !name.startsWith(`${process.version}-`);
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The folder does not exist yet, or this user cannot write it; it costs only disk space.
  }
}
