import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, invalidField } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import type { ChildMessage, ChildTask, Progress } from './report-to-parent.ts';

/** Memory limit of the thread, MB. The thread has one feature in memory, of at most 64 MB of text. */
const HEAP_MB = 2048;
/** Longest wait for a killed process, ms. A process that waits for a disk exits only when the disk responds. */
const END_MS = 5000;

/** Work of a child process on one file. */
export interface ChildRequest {
  /** Module of the thread, which calls `reportToParent`. */
  readonly worker: URL;
  /** `workerData` of the thread. */
  readonly data: unknown;
  /** Name of the file, for messages. */
  readonly fileName: string;
  readonly signal: AbortSignal;
  readonly progress?: Progress;
}

/**
 * Reads a file in a child process, because reading a hostile file may never end (decision 121). An abort kills the
 * process. Throws `validation` for a broken file or too little memory, `storage_full` for a full disk, the signal's
 * reason, or an `Error` if the process fails.
 */
export async function runInChild<T>({ worker, data, fileName, signal, progress }: ChildRequest): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const child = fork(workerUrl('./child-process', import.meta.url, '@headwater/ingest'), [], {
    env: compiledCode(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = endOf(child, fileName).catch(reject);
  child.on('message', (message: ChildMessage<T>) => {
    if (message.kind === 'progress') progress?.(message.done, message.total);
    else if (message.kind === 'done') resolve(message.value);
    else reject(refusal(message, fileName));
  });
  const order: ChildTask = { worker: worker.href, data, heapMb: HEAP_MB };
  child.send(order, (error) => {
    if (error !== null) reject(error);
  });
  const onAbort = (): void => reject(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', onAbort);
    child.kill('SIGKILL');
    await Promise.race([ended, pause(END_MS, undefined, { ref: false })]);
  }
}

/**
 * Environment with the folder of Node's compile cache. Without compiled code, loading the modules takes 2 s of CPU
 * time.
 */
function compiledCode(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

async function endOf(child: ChildProcess, fileName: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('exit', (code, killed) =>
    reject(
      new Error(`the process that reads ${fileName} ended with ${killed ?? code}; split the file, or import it again`),
    ),
  );
  await promise;
}

type Failure = Exclude<ChildMessage<never>, { readonly kind: 'progress' | 'done' }>;

function refusal(failure: Failure, fileName: string): Error {
  if (failure.kind === 'broken') return invalidField('file', failure.reason);
  if (failure.kind === 'disk full')
    return new DomainError(
      'storage_full',
      `The disk of the temporary files has too little free space to check ${fileName}; free space and import the file again.`,
    );
  if (failure.kind === 'memory full')
    return invalidField(
      'file',
      `reading ${fileName} takes more than ${HEAP_MB} MB of memory; split the file, or simplify its features`,
    );
  return new Error(`${fileName} could not be read: ${failure.reason}`);
}
