import { threadChannel } from '@headwater/net';
import type { CacheCounts } from './block-cache.ts';

const channel = threadChannel<CacheCounts>('headwater block cache');

/**
 * Calls a function with the counts that `shareCounts` sends from the threads of this process. Returns a function that
 * ends the calls.
 */
export const watchBlockCache = channel.watch;

/** Sends the counts of this thread's reads from the block cache, unless there were no reads. */
export function shareCounts(counts: CacheCounts): void {
  if (counts.hits + counts.misses > 0) channel.send(counts);
}
