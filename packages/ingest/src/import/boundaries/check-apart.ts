import { Worker } from 'node:worker_threads';
import { DomainError, errorCode, invalidField } from '@headwater/core';
import { workerUrl } from '@headwater/raster/files';
import type { Checked, CheckRequest } from './check-features.ts';
import type { CheckMessage } from './check-worker.ts';

/** Memory that the thread may take: features are checked one at a time, the largest of them has 64 MB as text. */
const MAX_HEAP_MB = 2048;

/**
 * `checkFeatures` in a thread of its own, for a server at work: a large file takes minutes, and a hostile one may try to take for ever,
 * which ends with the signal. Throws `validation` for a broken file, `storage_full`, and the signal's reason.
 */
export async function checkApart(
  request: CheckRequest,
  signal: AbortSignal,
  progress: (done: number, total: number) => void,
): Promise<Checked> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<Checked>();
  const worker = new Worker(workerUrl('./check-worker', import.meta.url), {
    workerData: request,
    resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
  });
  worker.on('message', (message: CheckMessage) => {
    if (message.kind === 'progress') progress(message.done, message.total);
    else if (message.kind === 'checked') resolve(message.checked);
    else reject(refusal(message, request.fileName));
  });
  worker.on('error', (error) => reject(failure(error, request.fileName)));
  worker.on('exit', (code) => reject(new Error(`the thread that reads ${request.fileName} ended with ${code}`)));
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    await worker.terminate();
  }
}

function refusal(message: Extract<CheckMessage, { kind: 'broken' | 'full' }>, fileName: string): DomainError {
  return message.kind === 'full'
    ? new DomainError('storage_full', `The disk is full while ${fileName} is checked; make room and import it again.`)
    : invalidField('file', message.reason);
}

function failure(error: unknown, fileName: string): unknown {
  return errorCode(error) === 'ERR_WORKER_OUT_OF_MEMORY'
    ? invalidField(
        'file',
        `${fileName} takes more memory to read than ${MAX_HEAP_MB} MB; split it, or simplify its features`,
      )
    : error;
}
