import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { isDiskFull, isDomainError } from '@headwater/core';
import { BadPlaceFile } from '../../places/bad-place-file.ts';

const PAUSE_MS = 100;

/** Receives the number of read bytes, and the size of the file. */
export type Progress = (done: number, total: number) => void;

/** Runs the work of a thread of `runInChild`, and reports progress and result to the parent. */
export async function reportToParent<T>(work: (progress: Progress) => Promise<T>): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  // Node's compile cache is written before the work, because the parent kills this process when the result arrives.
  flushCompileCache();
  const send = (message: ChildMessage<T>): void => port.postMessage(message);
  let sentAt = -Infinity;
  const progress = (done: number, total: number): void => {
    const now = performance.now();
    if (now - sentAt < PAUSE_MS) return;
    sentAt = now;
    send({ kind: 'progress', done, total });
  };
  try {
    send({ kind: 'done', value: await work(progress) });
  } catch (error) {
    if (error instanceof BadPlaceFile) send({ kind: 'broken', reason: error.message });
    else if (isDiskFull(error) || (isDomainError(error) && error.code === 'storage_full')) send({ kind: 'disk full' });
    else throw error;
  }
}

/** Message that starts the work. */
export interface ChildTask {
  /** Module of the thread, which calls `reportToParent`. */
  readonly worker: string;
  /** `workerData` of the thread. */
  readonly data: unknown;
  /** Memory limit of the thread, MB. */
  readonly heapMb: number;
}

/** Message from a child process. */
export type ChildMessage<T> =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly value: T }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'disk full' }
  | { readonly kind: 'memory full' }
  | { readonly kind: 'failed'; readonly reason: string };
