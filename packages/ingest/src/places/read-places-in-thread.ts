import { Worker } from 'node:worker_threads';
import type { PlaceBundle } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import type { PlacesMessage } from './places-worker.ts';
import type { PlacesRead } from './read-places.ts';

/**
 * Runs `readPlaces` in a worker thread, so that the server continues: parsing a file of 128 MB, or a hostile one, takes
 * seconds. Rejects if the thread dies.
 */
export function readPlacesInThread(dir: string): Promise<PlacesRead> {
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
