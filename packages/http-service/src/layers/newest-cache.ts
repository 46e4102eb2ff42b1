import type { CatalogStore, ItemVersion, PublishedTehsil } from '@headwater/core/ports';
import { createByteLimitedCache } from '../caching/byte-limited-cache.ts';
import type { ShownLayer } from '../pages/publication-cards.ts';

/** A published layer with the address of its preview. */
export type Picture = ShownLayer & { readonly src: string };

/** Facts about everything that is published, cached until a run publishes. */
export interface NewestCache {
  /** The tehsils with Items, ascending by path. */
  tehsils(): Promise<readonly PublishedTehsil[]>;
  /** A picture for each pipeline, by its name; `make` finds them among the newest Items. */
  pictures(make: (newest: readonly ItemVersion[]) => Promise<ReadonlyMap<string, Picture>>): ReturnType<typeof make>;
}

/** Newest runs whose Items are the version of the facts; pictures are found among them too. */
const RUNS = 40;

/** Creates the cache. Its version is read at each call: the Items of the newest runs, without their content. */
export function createNewestCache(catalog: Pick<CatalogStore, 'newest' | 'publishedTehsils'>): NewestCache {
  // Each cache has one value, so they need no limit in bytes.
  const unlimited = { mostBytes: 1, sizeOf: () => 0 };
  const tehsils = createByteLimitedCache<'all', readonly PublishedTehsil[]>(unlimited);
  const pictures = createByteLimitedCache<'all', ReadonlyMap<string, Picture>>(unlimited);
  // The version is read before the facts. If a run publishes in between, the next call reads them again.
  const read = async (): Promise<readonly ItemVersion[]> => await catalog.newest({ runs: RUNS });
  const versionOf = (newest: readonly ItemVersion[]): string =>
    newest.map(({ collectionPath, id, version, runId }) => [collectionPath, id, version, runId].join(' ')).join('\n');
  return {
    tehsils: async () =>
      await tehsils.of('all', { version: versionOf(await read()), make: () => catalog.publishedTehsils() }),
    pictures: async (make) => {
      const newest = await read();
      return await pictures.of('all', { version: versionOf(newest), make: () => make(newest) });
    },
  };
}
