import type { CatalogStore, ItemVersion } from '@headwater/core/ports';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { ShownLayer } from '../pages/publication-cards.ts';

/** A published layer with the address of its preview. */
export type Picture = ShownLayer & { readonly src: string };

/** Facts about the newest Items, cached until one of them is replaced or removed, or a newer run publishes. */
export interface NewestCache {
  /** A picture for each pipeline, by the name of the pipeline. `make` finds the pictures among the newest Items. */
  pictures(make: (newest: readonly ItemVersion[]) => Promise<ReadonlyMap<string, Picture>>): ReturnType<typeof make>;
}

/**
 * Number of the newest runs whose Items are searched for pictures. The keys of these Items are also the version of the
 * pictures.
 */
const RUNS = 40;

/**
 * Creates the cache. Each call reads the version: the keys of the Items of the newest runs, without the content of the
 * Items.
 */
export function createNewestCache(catalog: Pick<CatalogStore, 'newest'>): NewestCache {
  // The cache has only one value, so its limit in bytes is never used.
  const pictures = createByteLimitedCache<'all', ReadonlyMap<string, Picture>>({ mostBytes: 1, sizeOf: () => 0 });
  const versionOf = (newest: readonly ItemVersion[]): string =>
    newest.map(({ collectionPath, id, version, runId }) => [collectionPath, id, version, runId].join(' ')).join('\n');
  return {
    // The version is read before the pictures. If a run publishes between the two reads, the next call searches for the pictures
    // again.
    pictures: async (make) => {
      const newest = await catalog.newest({ runs: RUNS });
      return await pictures.of('all', { version: versionOf(newest), make: () => make(newest) });
    },
  };
}
