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

/** Name of the lock under which servers on one database write or read the data in DATA_DIR. */
export const DATA = 'data';

/** Interval of checks of DATA_DIR/places, ms. */
const CHECK_MS = 5000;
/** Maximum number of log lines about single features. */
const MAX_NOTES = 50;

/** Stores and log for reading places. */
export interface PlacesDeps {
  readonly dataDir: string;
  readonly stores: Pick<Stores, 'places' | 'eoAccounts' | 'installation' | 'catalog' | 'data' | 'runs'>;
  readonly logger: Logger;
}

/** Places that a start found, and the fingerprint that the folder had before it was read. */
export interface FoundPlaces extends Seeded {
  readonly since: string;
}

const folderOf = (dataDir: string): string => join(dataDir, 'places');

/** Reads DATA_DIR/places into the stores, removes places without a file, and logs what was stored, repaired or refused. */
export async function seedPlaces({ dataDir, stores, logger }: PlacesDeps): Promise<FoundPlaces> {
  const since = await placesFingerprint(folderOf(dataDir));
  const read = await readPlaces(folderOf(dataDir));
  const seeded = await seed(stores, { bundles: read.bundles });
  logPlaces(logger, read, seeded);
  await removePlacesWithoutFile(read, { stores, logger });
  return { ...seeded, since };
}

/** Reads DATA_DIR/places again whenever its files have changed, until the signal aborts. Never rejects. */
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
      // All servers on one database notice the same change. With the lock, the first server stores the places, and the other servers
      // then find no difference.
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
 * Removes places without a file, so that a place with a corrected name replaces the place with the old name. A place with published
 * data or runs in progress stays, because the data are served under its name. Nothing is removed if a file was skipped, because that file may contain any
 * of the places. Nothing is removed if the folder is empty, because the disk of the folder may not be mounted.
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
