import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout } from './read-version.ts';

/** Folder of the cache. It is safe, because a user who can write here can also change the code. */
const FOLDER = fileURLToPath(
  new URL(isCheckout() ? '../../../node_modules/.cache/headwater' : '../../../.cache/headwater', import.meta.url),
);

/**
 * Caches the compiled modules of later threads and processes in `node_modules/.cache`, which saves 60 to 200 ms for
 * each. A NODE_COMPILE_CACHE of the environment is not changed. This process itself does not use the cache, because
 * Node reads the variable only when a process or thread starts.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, folder = FOLDER): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return;
  env['NODE_COMPILE_CACHE'] = folder;
  removeOtherVersions(folder);
}

/**
 * Removes the caches of other versions of Node. Each version creates a folder of some megabytes, and never removes it.
 */
function removeOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const isOther = /^v\d/.test(name) && !name.startsWith(`${process.version}-`);
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // The error is ignored, because old caches only use disk space.
  }
}
