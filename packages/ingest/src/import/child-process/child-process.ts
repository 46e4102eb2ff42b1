// Child process that reads one file in a second thread, so that its main thread can always end the process.
import { Worker } from 'node:worker_threads';
import { errorCode } from '@headwater/core/errors';
import type { ChildMessage, ChildTask } from './report-to-parent.ts';

const send = (message: ChildMessage<unknown>): void => void process.send?.(message);

// If the parent disconnects, the process ends itself, because nothing else stops a thread in native code.
process.once('disconnect', () => process.kill(process.pid, 'SIGKILL'));

process.once('message', ({ worker, data, heapMb }: ChildTask) => {
  const thread = new Worker(new URL(worker), {
    workerData: data,
    resourceLimits: { maxOldGenerationSizeMb: heapMb },
  });
  thread.on('message', send);
  thread.on('error', (error) => {
    if (errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY') send({ kind: 'memory full' });
    else send({ kind: 'failed', reason: error instanceof Error ? (error.stack ?? error.message) : String(error) });
  });
});
