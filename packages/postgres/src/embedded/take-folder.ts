import { setTimeout } from 'node:timers/promises';
import { type FolderLock, holderLife, lockFolder } from './folder-lock.ts';

/** Longest wait for a killed holder to end, ms: its memory has to be taken back, and a slow disk may hold its last write up. */
const DYING_MS = 10_000;
/** The same where nobody can say whether the holder lives, ms. */
const UNKNOWN_MS = 2000;
const LOOK_MS = 50;

/**
 * Takes a folder for this process as `lockFolder` does, and waits for a holder that was killed a moment ago.
 * @throws DomainError `unavailable` at once when a living process holds it.
 */
export async function takeFolder(folder: string): Promise<FolderLock> {
  const began = performance.now();
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (performance.now() - began > patienceMs(folder)) throw error;
    }
    await setTimeout(LOOK_MS);
  }
}

function patienceMs(folder: string): number {
  const life = holderLife(folder);
  if (life === 'alive' || life === undefined) return 0;
  return life === 'unknown' ? UNKNOWN_MS : DYING_MS;
}
