import { type ChildProcess, fork } from 'node:child_process';
import { getCompileCacheDir } from 'node:module';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { DomainError, invalidField } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import type { ApartMessage, ApartOrder } from './apart-message.ts';
import type { Progress } from './say-apart.ts';

/** Memory that reading may take: features are looked at one at a time, the largest of them has 64 MB as text. */
const HEAP_MB = 2048;
/** How long the end of a process is waited for that was killed: one that waits for a disk ends when that answers. */
const END_MS = 5000;

/** A file that is read apart. */
export interface ApartTask {
  /** The module that reads it, run as a thread; it tells by `sayApart` what comes of it. */
  readonly worker: URL;
  /** Its `workerData`. */
  readonly data: unknown;
  /** What the file is called, for messages. */
  readonly fileName: string;
  readonly signal: AbortSignal;
  readonly progress?: Progress;
}

/**
 * Reads a file in a process of its own, for a server at work: a large file takes minutes, and a hostile one may try to take for ever, also
 * in native code, out of which a thread cannot be called. The process knows no variable of the environment but the folder of compiled code,
 * and ends with the signal.
 * Throws `validation` for a broken file, `storage_full`, and the signal's reason.
 */
export async function runApart<T>({ worker, data, fileName, signal, progress }: ApartTask): Promise<T> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const child = fork(workerUrl('./apart-process', import.meta.url), [], {
    env: compiledCode(),
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = endOf(child, fileName).catch(reject);
  child.on('message', (message: ApartMessage<T>) => {
    if (message.kind === 'progress') progress?.(message.done, message.total);
    else if (message.kind === 'done') resolve(message.value);
    else reject(refusal(message, fileName));
  });
  const order: ApartOrder = { worker: worker.href, data, heapMb: HEAP_MB };
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

/** The variable that names the folder of compiled code, if this process has one: loading the modules takes 2 s of a processor without it. */
function compiledCode(): NodeJS.ProcessEnv {
  const folder = getCompileCacheDir();
  return folder === undefined ? {} : { NODE_COMPILE_CACHE: dirname(folder) };
}

/** Rejects when the process ends, which it does not by itself, and where it cannot be started. */
async function endOf(child: ChildProcess, fileName: string): Promise<void> {
  const { promise, reject } = Promise.withResolvers<void>();
  child.once('error', reject);
  child.once('exit', (code, killed) =>
    reject(new Error(`the process that reads ${fileName} ended with ${killed ?? code}`)),
  );
  await promise;
}

type Failure = Exclude<ApartMessage<never>, { readonly kind: 'progress' | 'done' }>;

function refusal(failure: Failure, fileName: string): Error {
  if (failure.kind === 'broken') return invalidField('file', failure.reason);
  if (failure.kind === 'disk full')
    return new DomainError(
      'storage_full',
      `The disk is full while ${fileName} is checked; make room and import it again.`,
    );
  if (failure.kind === 'memory full')
    return invalidField(
      'file',
      `${fileName} takes more memory to read than ${HEAP_MB} MB; split it, or simplify its features`,
    );
  return new Error(`${fileName} could not be read: ${failure.reason}`);
}
