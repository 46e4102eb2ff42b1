// Folders that are created once. The first process that needs such a folder creates the folder. All later processes use
// this folder until the sources of its content change.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/**
 * Longest wait for another process that creates the folder, ms. Every creation takes less time, even on a busy machine.
 * If the other process ends, the wait ends too.
 */
const MOST_MS = 900_000;

/**
 * Returns the folder `name` in `parent`. If this folder is missing, `create(draft)` fills a draft folder, which is then
 * renamed to `name`. `name` must contain a digest of the sources, or the versions of the content, because folders with
 * other names are then removed as outdated. Other processes that need the folder wait until it exists.
 */
export async function cachedFolder(parent, name, create) {
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  const draft = join(parent, `draft-${name}`);
  if (!isOurs(parent, draft)) {
    // Another process is creating the folder, so this process waits. If the other process fails, this process creates
    // the folder.
    const until = performance.now() + MOST_MS;
    while (!existsSync(folder) && isInProgress(draft)) {
      if (performance.now() > until)
        throw new Error(`${draft}: another process did not finish it within ${MOST_MS / 1000} s; remove that folder`);
      await pause(100);
    }
    return await cachedFolder(parent, name, create);
  }
  try {
    await create(draft);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  renameSync(draft, folder);
  for (const old of readdirSync(parent)) if (old !== name) rmSync(join(parent, old), { recursive: true, force: true });
  return folder;
}

/**
 * Tries to claim the draft folder: creates this folder, and writes the id of this process into it. Returns true if this
 * process has created the folder. Removes the draft of an ended process.
 */
function isOurs(parent, draft) {
  mkdirSync(parent, { recursive: true });
  try {
    mkdirSync(draft);
    writeFileSync(join(draft, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isInProgress(draft)) rmSync(draft, { recursive: true, force: true });
  return false;
}

/** True if the process that has claimed the draft is alive, or has not yet written its id. */
function isInProgress(draft) {
  try {
    const pid = Number(readFileSync(join(draft, 'pid'), 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ENOENT' && existsSync(draft);
  }
}
