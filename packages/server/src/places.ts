import { join } from 'node:path';
import type { Logger } from '@headwater/core';
import { isNeeded, placeNeeds } from '@headwater/core/places';
import type { Stores } from '@headwater/identity';
import {
  placesFingerprint,
  placesWithoutFiles,
  type PlacesRead,
  readPlaces,
  readPlacesInThread,
  savePlaces,
  seed,
  type Seeded,
  watchPlaces,
} from '@headwater/ingest';

/** Name of the lock on the data in DATA_DIR. */
export const DATA = 'data';

/** Interval between checks of the folder, ms. */
const CHECK_MS = 5000;
const MAX_NOTES = 50;

/** Stores and log for reading places. */
export interface PlacesDeps {
  readonly dataDir: string;
  readonly stores: Pick<Stores, 'places' | 'eoAccounts' | 'installation' | 'catalog' | 'data' | 'runs'>;
  readonly logger: Logger;
}

/** Places at the start, and the folder's fingerprint before the read. */
export interface FoundPlaces extends Seeded {
  readonly since: string;
}

const folderOf = (dataDir: string): string => join(dataDir, 'places');

/** Stores the places of DATA_DIR/places, and removes places without a file. */
export async function seedPlaces({ dataDir, stores, logger }: PlacesDeps): Promise<FoundPlaces> {
  const since = await placesFingerprint(folderOf(dataDir));
  const read = await readPlaces(folderOf(dataDir));
  const seeded = await seed(stores, { bundles: read.bundles });
  logPlaces(logger, read, seeded);
  await removePlacesWithoutFile(read, { stores, logger });
  return { ...seeded, since };
}

/** Reads DATA_DIR/places again after each change, until the signal aborts. Never rejects. */
export async function followPlaces(
  { dataDir, stores, logger }: PlacesDeps,
  follow: {
    readonly since: string;
    readonly signal: AbortSignal;
    readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  },
): Promise<void> {
  const onChange = async (): Promise<void> => {
    try {
      // All servers of a database notice the change. Because of the lock, they store the places one after another.
      await stores.installation.withLock(
        DATA,
        async () => {
          const read = await readPlacesInThread(folderOf(dataDir));
          logPlaces(logger, read, await savePlaces(stores.places, read.bundles));
          await removePlacesWithoutFile(read, { stores, logger });
        },
        follow.signal,
      );
    } catch (error) {
      logger.error({ error: String(error) }, 'changed places could not be stored; retrying');
      throw error;
    }
  };
  await watchPlaces(folderOf(dataDir), { ...follow, everyMs: CHECK_MS, onChange });
}

function logPlaces(logger: Logger, read: PlacesRead, { places, saved }: Pick<Seeded, 'places' | 'saved'>): void {
  for (const { file, reason } of read.problems) logger.error({ file, reason }, 'a places file was skipped');
  for (const { file, note } of read.notes.slice(0, MAX_NOTES))
    logger.info({ file, note }, 'a places file was repaired');
  const counts = { tehsils: places.length, unchanged: places.length - saved.length };
  const left = { skippedFiles: read.problems.length, repaired: read.notes.length };
  const names = saved
    .slice(0, MAX_NOTES)
    .map(({ state, district, tehsil }) => `${tehsil.name} (${district.name}, ${state.name})`);
  logger.info({ ...counts, ...left, saved: names }, 'places were read');
}

/**
 * Removes places without a file, except places with published data or active runs. Keeps all places if a file was
 * skipped or the folder is empty.
 */
async function removePlacesWithoutFile(
  read: PlacesRead,
  { stores, logger }: Omit<PlacesDeps, 'dataDir'>,
): Promise<void> {
  if (read.problems.length > 0 || read.bundles.length === 0) return;
  const [removed, stayed]: [string[], string[]] = [[], []];
  for (const place of await placesWithoutFiles(stores.places, read.bundles)) {
    const stays = isNeeded(await placeNeeds(place, stores));
    if (!stays) await stores.places.removeTehsil(place.tehsilId);
    (stays ? stayed : removed).push(`${place.tehsil} (${place.district}, ${place.state})`);
  }
  if (removed.length > 0)
    logger.info({ places: removed.slice(0, MAX_NOTES), count: removed.length }, 'places without a file were removed');
  if (stayed.length > 0)
    logger.info(
      { places: stayed.slice(0, MAX_NOTES), count: stayed.length },
      'places without a file stay: they have published data or runs in progress',
    );
}
