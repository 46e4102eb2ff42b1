import { parentPort, workerData } from 'node:worker_threads';
import { isDiskFull } from '@headwater/core';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { type Checked, checkFeatures, type CheckRequest } from './check-features.ts';

/** What the thread says. */
export type CheckMessage =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'checked'; readonly checked: Checked }
  | { readonly kind: 'broken'; readonly reason: string }
  | { readonly kind: 'full' };

/** Pause between two messages of progress, ms. */
const PAUSE_MS = 100;

const request: CheckRequest = workerData;
const port = parentPort;
if (port === null) throw new Error('this module runs in a worker thread only');
const say = (message: CheckMessage): void => port.postMessage(message);

let said = 0;
const progress = (done: number, total: number): void => {
  const now = performance.now();
  if (now - said < PAUSE_MS) return;
  said = now;
  say({ kind: 'progress', done, total });
};

try {
  say({ kind: 'checked', checked: await checkFeatures(request, progress) });
} catch (error) {
  if (error instanceof BadPlaceFile) say({ kind: 'broken', reason: error.message });
  else if (isDiskFull(error)) say({ kind: 'full' });
  else throw error;
}
