// Folders under node_modules/.cache that one process makes and every later one uses, until what they are made of changes.
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Longest wait for another process that makes the folder, ms. */
const MOST_MS = 240_000;

/**
 * The folder `name` in `parent`, made by `make(draft)` unless it is there; `name` is a digest of what it is made of. Other processes that want
 * it wait meanwhile. Folders of other names are removed.
 */
export function madeOnce(parent, name, make) {
  const folder = join(parent, name);
  if (existsSync(folder)) return folder;
  const draft = join(parent, `draft-${name}`);
  if (!isOurs(parent, draft)) {
    // Another process makes it; if that one dies, this one does.
    const until = Date.now() + MOST_MS;
    while (!existsSync(folder) && isAtWork(draft)) {
      if (Date.now() > until) throw new Error(`${draft} is not finished by another process; remove that folder`);
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100);
    }
    return madeOnce(parent, name, make);
  }
  try {
    make(draft);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    throw error;
  }
  renameSync(draft, folder);
  for (const old of readdirSync(parent)) if (old !== name) rmSync(join(parent, old), { recursive: true, force: true });
  return folder;
}

/** True if this process has taken the draft's folder, in which it notes its number. */
function isOurs(parent, draft) {
  mkdirSync(parent, { recursive: true });
  try {
    mkdirSync(draft);
    writeFileSync(join(draft, 'pid'), String(process.pid));
    return true;
  } catch (error) {
    if (error.code !== 'EEXIST') throw error;
  }
  if (!isAtWork(draft)) rmSync(draft, { recursive: true, force: true });
  return false;
}

/** True while the process that has taken the draft lives; also in the moment before it has noted its number. */
function isAtWork(draft) {
  try {
    const pid = Number(readFileSync(join(draft, 'pid'), 'utf8'));
    return pid === 0 || process.kill(pid, 0);
  } catch (error) {
    return error.code === 'ENOENT' && existsSync(draft);
  }
}
