import { threadChannel } from '@headwater/net';
import type { CacheCounts } from './block-cache.ts';

const channel = threadChannel<CacheCounts>('headwater block cache');

/**
 * Reports the reads of the block cache by the worker threads of this process. Returns a function that ends the reports.
 */
export const watchBlockCache = channel.watch;

/** Reports the counts of reads of this thread, unless there were no reads. */
export function shareCounts(counts: CacheCounts): void {
  if (counts.hits + counts.misses > 0) channel.send(counts);
}
