import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isCheckout } from './is-checkout.ts';

/** Next to the code that it is made of: who may write there could change that code too. */
const FOLDER = fileURLToPath(
  new URL(isCheckout() ? '../../../node_modules/.cache/headwater' : '../../../.cache/headwater', import.meta.url),
);

/**
 * Lets threads and processes that are started from now on keep what Node compiled of their modules, in `node_modules/.cache`. A run starts
 * several threads, and each had to read and compile its modules anew: 100 to 300 ms of processor time, now 40 to 100. Where the folder cannot
 * be written Node goes on without it. Whoever has set the variable decides alone. This process itself is not concerned: it loads its modules once,
 * and would write 2,000 files when it is asked to stop.
 */
export function keepCompiledCode(env: NodeJS.ProcessEnv, folder = FOLDER): void {
  if (env['NODE_COMPILE_CACHE'] !== undefined) return;
  env['NODE_COMPILE_CACHE'] = folder;
  removeOtherVersions(folder);
}

/**
 * Node keeps a folder for each of its own versions (`v24.1.0-x64-..`), some megabytes, and removes none. Within one nothing grows: a module that
 * changed overwrites what was kept of it.
 */
function removeOtherVersions(folder: string): void {
  try {
    for (const name of readdirSync(folder)) {
      const isOther = /^v\d/.test(name) && !name.startsWith(`${process.version}-`);
      if (isOther) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // Not there yet, or not to be written by this user: it costs nothing but disk.
  }
}
