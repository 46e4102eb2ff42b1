import { flushCompileCache } from 'node:module';
import { parentPort } from 'node:worker_threads';
import { isDiskFull, isDomainError } from '@headwater/core';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { ApartMessage } from './apart-message.ts';

/** Pause between two messages of progress, ms. */
const PAUSE_MS = 100;

/** Told how much of a file is read, of how much. */
export type Progress = (done: number, total: number) => void;

/** Does the work of a thread that `runApart` waits for, and says what comes of it. */
export async function sayApart<T>(work: (progress: Progress) => Promise<T>): Promise<void> {
  const port = parentPort;
  if (port === null) throw new Error('this module runs in a worker thread only');
  // This process is killed once it has answered, and then Node writes nothing.
  flushCompileCache();
  const say = (message: ApartMessage<T>): void => port.postMessage(message);
  let said = -Infinity;
  const progress = (done: number, total: number): void => {
    const now = performance.now();
    if (now - said < PAUSE_MS) return;
    said = now;
    say({ kind: 'progress', done, total });
  };
  try {
    say({ kind: 'done', value: await work(progress) });
  } catch (error) {
    if (error instanceof BadPlaceFile) say({ kind: 'broken', reason: error.message });
    else if (isDiskFull(error) || (isDomainError(error) && error.code === 'storage_full')) say({ kind: 'disk full' });
    else throw error;
  }
}
