import { join } from 'node:path';
import type { Logger, TehsilNames } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { collectionPath } from '@headwater/stac';
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

/** Name of the turn in which servers on one database make or read what lies under DATA_DIR. */
export const DATA = 'data';

/** Pause between two looks at DATA_DIR/places, ms. */
const LOOK_MS = 5000;
/** Lines about single features in one log. */
const MAX_NOTES = 50;

/** The stores and the log that reading places needs. */
export interface PlacesDeps {
  readonly dataDir: string;
  readonly stores: Pick<Stores, 'places' | 'eoAccounts' | 'installation' | 'catalog' | 'data' | 'runs'>;
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
  await removeForgotten(read, { stores, logger });
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
      await stores.installation.withLock(
        DATA,
        async () => {
          const read = await readPlacesInThread(folderOf(dataDir));
          tell(logger, read, await savePlaces(stores.places, read.bundles));
          await removeForgotten(read, { stores, logger });
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

/**
 * Removes places that no file names any more: a name that was corrected must not stay beside the right one. What is published of a place
 * goes on being served under its name, so such a place stays. A skipped file may describe any of them, an empty folder may be a
 * mount that is missing: then nothing is removed.
 */
async function removeForgotten(read: PlacesRead, { stores, logger }: Omit<PlacesDeps, 'dataDir'>): Promise<void> {
  if (read.problems.length > 0 || read.bundles.length === 0) return;
  const [removed, kept]: [string[], string[]] = [[], []];
  for (const place of await placesWithoutFiles(stores.places, read.bundles)) {
    const isNeeded = (await isPublished(place, stores)) || (await isUnderWay(place, stores));
    if (!isNeeded) await stores.places.removeTehsil(place.tehsilId);
    (isNeeded ? kept : removed).push(`${place.tehsil} (${place.district}, ${place.state})`);
  }
  if (removed.length > 0)
    logger.info(
      { places: removed.slice(0, MAX_NOTES), count: removed.length },
      'places that no file names any more were removed',
    );
  if (kept.length > 0)
    logger.info(
      { places: kept.slice(0, MAX_NOTES), count: kept.length },
      'places that no file names any more keep answering: something is published of them or under way',
    );
}

async function isPublished(
  { tehsilId, state, district, tehsil }: TehsilNames,
  { catalog, data }: Pick<Stores, 'catalog' | 'data'>,
): Promise<boolean> {
  if ((await catalog.layersOf(tehsilId)).length > 0) return true;
  // Sheets and series that were imported have neither a layer nor an Item.
  if (await data.hasData(tehsilId)) return true;
  return (await catalog.collection(collectionPath(state, district, tehsil))) !== undefined;
}

/** Runs in one look. */
const MOST_RUNS = 1000;

async function isUnderWay({ tehsilId }: TehsilNames, { runs }: Pick<Stores, 'runs'>): Promise<boolean> {
  const states = ['queued', 'running'] as const;
  const open = await Promise.all(states.map((state) => runs.list({ state, limit: MOST_RUNS, offset: 0 })));
  // More than are looked at: nobody knows of the others.
  if (open.some(({ runs: found, total }) => total > found.length)) return true;
  return open.some(({ runs: found }) =>
    found.some(({ params }) => Reflect.get(Object(params), 'tehsilId') === tehsilId),
  );
}
