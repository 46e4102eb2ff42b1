import { setTimeout } from 'node:timers/promises';
import { type FolderLock, lastHolderLife, lockFolder } from './folder-lock.ts';

/**
 * Maximum wait for the end of a killed holder, ms. The system needs time to free its memory and to complete its last
 * write to a slow disk.
 */
const DYING_MS = 10_000;
/** Maximum wait if the holder's state is unknown, ms. */
const UNKNOWN_MS = 2000;
const POLL_MS = 50;

/**
 * Locks a folder as `lockFolder` does, but if the holder was killed a moment ago, waits until it has ended.
 * @throws DomainError `unavailable` immediately if a living process holds it.
 */
export async function awaitFolder(folder: string): Promise<FolderLock> {
  const began = performance.now();
  for (;;) {
    try {
      return lockFolder(folder);
    } catch (error) {
      if (performance.now() - began > waitLimitMs(folder)) throw error;
    }
    await setTimeout(POLL_MS);
  }
}

function waitLimitMs(folder: string): number {
  const life = lastHolderLife(folder);
  if (life === 'alive' || life === undefined) return 0;
  return life === 'unknown' ? UNKNOWN_MS : DYING_MS;
}
