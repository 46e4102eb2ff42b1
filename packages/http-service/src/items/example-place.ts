import type { DatedLayer } from '@headwater/core/ports';
import { collectionPath } from '@headwater/stac';
import type { Ports } from '../deps.ts';
import { alongPath, firstTehsil, type FoundTehsil } from './first-tehsil.ts';

/** Newest runs whose places are looked at, and how many of these. */
const RUNS_SEEN = 200;
const MOST_PLACES = 8;
/** Items among which a place's newest run is looked for. */
const MOST_ITEMS = 500;

/** A place that examples may be asked of. */
export interface ExamplePlace extends FoundTehsil {
  /** Its layers; none where nothing of it is published. */
  readonly layers: readonly DatedLayer[];
  /** The newest run that published an Item of it. */
  readonly runId: string | undefined;
}

/**
 * The place of which most kinds of layers are published: there most requests find what they need. Of several the featured one (the
 * sample), else the one published last. Where nothing is published, the first of the directory; undefined where that has none.
 */
export async function examplePlace({
  stores,
  featured,
}: Ports<'featured' | 'stores'>): Promise<ExamplePlace | undefined> {
  const versions = await stores.catalog.newest({ runs: RUNS_SEEN });
  const byPlace = [...Map.groupBy(versions, (version) => version.collectionPath)];
  const busiest = byPlace.sort(([, a], [, b]) => b.length - a.length).slice(0, MOST_PLACES);
  const paths = new Set([...(featured === undefined ? [] : [featured]), ...busiest.map(([path]) => path)]);
  const found = await Promise.all(Array.from(paths, (path) => alongPath(stores.places, path.split('/'))));
  const held = await Promise.all(
    found
      .filter((place) => place !== undefined)
      .map(async (place) => ({ ...place, layers: await stores.catalog.layersOf(place.ids[2]) })),
  );
  const [most] = held.filter(({ layers }) => layers.length > 0).sort((a, b) => kindsOf(b.layers) - kindsOf(a.layers));
  const place = most ?? (await firstTehsil(stores.places));
  if (place === undefined) return undefined;
  const [state, district, tehsil] = place.names;
  const items = await stores.catalog.listOf(collectionPath(state, district, tehsil), { limit: MOST_ITEMS, offset: 0 });
  // Ids of runs grow with time.
  const [runId] = items.map((item) => item.runId).sort((a, b) => (a < b ? 1 : -1));
  return { ...place, layers: most?.layers ?? [], runId };
}

/** Layers of one data set for several years are one kind. */
const kindsOf = (layers: readonly DatedLayer[]): number => new Set(layers.map(({ datasetName }) => datasetName)).size;
