// A process that reads one file for another process, in a thread: this one hears meanwhile that nobody waits any more.
import { Worker } from 'node:worker_threads';
import { errorCode } from '@headwater/core/errors';
import type { ApartMessage, ApartOrder } from './apart-message.ts';

const say = (message: ApartMessage<unknown>): void => void process.send?.(message);

// Whoever started it is gone. A thread that does not come back from native code ends with its process alone, and only so.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.once('message', ({ worker, data, heapMb }: ApartOrder) => {
  const thread = new Worker(new URL(worker), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  thread.on('message', say);
  thread.on('error', (error) => {
    if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') say({ kind: 'memory full' });
    else say({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  });
});
