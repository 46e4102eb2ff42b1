import { join } from 'node:path';
import type { Logger, Stores } from '@headwater/core';
import {
  placesFingerprint,
  type PlacesRead,
  readPlaces,
  readPlacesApart,
  savePlaces,
  seed,
  type Seeded,
  watchPlaces,
} from '@headwater/ingest';

/** Name of the turn in which servers on one database make or read what lies under DATA_DIR. */
export const DATA = 'data';

/** Pause between two looks at DATA_DIR/places, ms. */
const LOOK_MS = 5000;
/** Lines about single features in one log. */
const MAX_NOTES = 50;

/** The stores and the log that reading places needs. */
export interface PlacesDeps {
  readonly dataDir: string;
  readonly stores: Pick<Stores, 'places' | 'eoAccounts' | 'installation'>;
  readonly logger: Logger;
}

/** What the start found, and what the folder looked like before it was read. */
export interface FoundPlaces extends Seeded {
  readonly since: string;
}

const folderOf = (dataDir: string): string => join(dataDir, 'places');

/** Reads DATA_DIR/places into the stores, and logs what was read, mended and refused. */
export async function seedPlaces({ dataDir, stores, logger }: PlacesDeps): Promise<FoundPlaces> {
  const since = await placesFingerprint(folderOf(dataDir));
  const read = await readPlaces(folderOf(dataDir));
  const seeded = await seed(stores, { bundles: read.bundles });
  tell(logger, read, seeded);
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
      // Other servers see the same change: one of them writes, the others find it written.
      await stores.installation.alone(
        DATA,
        async () => {
          const read = await readPlacesApart(folderOf(dataDir));
          tell(logger, read, await savePlaces(stores.places, read.bundles));
        },
        follow.signal,
      );
    } catch (error) {
      logger.error({ error: String(error) }, 'changed places could not be stored; trying again');
      throw error;
    }
  };
  await watchPlaces(folderOf(dataDir), { ...follow, everyMs: LOOK_MS, onChange });
}

function tell(logger: Logger, read: PlacesRead, { places, saved }: Pick<Seeded, 'places' | 'saved'>): void {
  for (const { file, reason } of read.problems) logger.error({ file, reason }, 'a places file was skipped');
  for (const { file, note } of read.notes.slice(0, MAX_NOTES)) logger.info({ file, note }, 'a places file was mended');
  const counts = { tehsils: places.length, unchanged: places.length - saved.length };
  const left = { skippedFiles: read.problems.length, mended: read.notes.length };
  const names = saved
    .slice(0, MAX_NOTES)
    .map(({ state, district, tehsil }) => `${tehsil.name} (${district.name}, ${state.name})`);
  logger.info({ ...counts, ...left, saved: names }, 'places were read');
}
