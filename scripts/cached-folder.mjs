// Folders that the first process creates, and that later processes use until the sources change.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Longest wait for another process that creates the folder, ms. */
const MOST_MS = 900_000;

/**
 * Returns the folder `name` in `parent`. If it is missing, `create(draft)` fills it while other processes wait, and
 * then all other folders in `parent` are removed as outdated.
 */
export async function cachedFolder(parent, name, create) {
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  const draft = join(parent, `draft-${name}`);
  if (!isOurs(parent, draft)) {
    // Waits for the other process. If the other process fails, this process creates the folder.
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
 * Returns true if this process has claimed the draft folder with its id. Otherwise removes the draft of an ended
 * process.
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

function isInProgress(draft) {
  try {
    const pid = Number(readFileSync(join(draft, 'pid'), 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ENOENT' && existsSync(draft);
  }
}
