import { BroadcastChannel } from 'node:worker_threads';
import type { CacheCounts } from './block-cache.ts';

/** Name of the channel between the threads of a process. */
const CHANNEL = 'headwater block cache';

/** Reports the reads of the block cache by the worker threads of this process. Returns a function that ends the reports. */
export function watchBlockCache(report: (counts: CacheCounts) => void): () => void {
  const channel = new BroadcastChannel(CHANNEL);
  // All messages come from threads of this process, so they are not checked.
  channel.addEventListener('message', (event) => {
    if ('data' in event) report(event.data as CacheCounts);
  });
  // The channel must not keep the process alive. `unref` is called after the listener was added, because adding a listener refs the channel.
  channel.unref();
  return () => channel.close();
}

let shared: BroadcastChannel | undefined;

/** Returns the function with which a worker thread reports its reads. A thread that serves several calls has one channel. */
export function shareCounts(): (counts: CacheCounts) => void {
  shared ??= new BroadcastChannel(CHANNEL);
  const channel = shared;
  channel.unref();
  return (counts) => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel between threads has no origin
    if (counts.hits + counts.misses > 0) channel.postMessage(counts);
  };
}
