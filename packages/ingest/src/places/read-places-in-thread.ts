import { Worker } from 'node:worker_threads';
import { type PlaceBundle, placeSlug, type PlaceStore, type TehsilNames } from '@headwater/core';
import { workerUrl } from '@headwater/net/files';
import type { PlacesMessage } from './places-worker.ts';
import type { PlacesRead } from './read-places.ts';

/**
 * Runs `readPlaces` in a thread, because a file of 128 MB would block the server for seconds. Rejects if the thread
 * dies.
 */
export function readPlacesInThread(dir: string): Promise<PlacesRead> {
  const { promise, resolve, reject } = Promise.withResolvers<PlacesRead>();
  const worker = new Worker(workerUrl('./places-worker', import.meta.url, '@headwater/ingest'), { workerData: dir });
  const bundles: PlaceBundle[] = [];
  worker.on('message', (message: PlacesMessage) => {
    if ('bundle' in message) bundles.push(message.bundle);
    else resolve({ bundles, ...message.rest });
  });
  worker.on('error', reject);
  worker.on('exit', (code) => reject(new Error(`the thread that reads places ended with ${code}`)));
  return promise;
}

type Directory = Pick<PlaceStore, 'states' | 'districts' | 'tehsilUnits' | 'importedTehsils'>;

/** Stored tehsils that were not imported, and for which the folder has no file. */
export async function placesWithoutFiles(
  directory: Directory,
  bundles: readonly PlaceBundle[],
): Promise<readonly TehsilNames[]> {
  const described = new Set(bundles.map(keyOf));
  const imported = new Set(await directory.importedTehsils());
  const found: TehsilNames[] = [];
  for (const state of await directory.states())
    for (const district of await directory.districts(state.id))
      for (const tehsil of await directory.tehsilUnits(district.id)) {
        const names = { state: state.name, district: district.name, tehsil: tehsil.name };
        if (!described.has(keyOf(names)) && !imported.has(tehsil.id)) found.push({ tehsilId: tehsil.id, ...names });
      }
  return found;
}

const keyOf = ({ state, district, tehsil }: Pick<TehsilNames, 'state' | 'district' | 'tehsil'>): string =>
  [state, district, tehsil].map(placeSlug).join('/');
