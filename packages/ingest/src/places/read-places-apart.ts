import { Worker } from 'node:worker_threads';
import type { PlaceBundle } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import type { PlacesMessage } from './places-worker.ts';
import type { PlacesRead } from './read-places.ts';

/**
 * `readPlaces` in a thread of its own, for a server at work: a file of 128 MB, or one that is made to look like a place, takes
 * seconds to parse. Rejects where the thread is lost.
 */
export function readPlacesApart(dir: string): Promise<PlacesRead> {
  const { promise, resolve, reject } = Promise.withResolvers<PlacesRead>();
  const worker = new Worker(workerUrl('./places-worker', import.meta.url), { workerData: dir });
  const bundles: PlaceBundle[] = [];
  worker.on('message', (message: PlacesMessage) => {
    if ('bundle' in message) bundles.push(message.bundle);
    else resolve({ bundles, ...message.rest });
  });
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`the thread that reads places ended with ${code}`)));
  return promise;
}
