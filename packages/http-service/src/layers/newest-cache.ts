import type { CatalogStore, ItemVersion } from '@headwater/core/ports';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { ShownLayer } from '../pages/publication-cards.ts';

/** A published layer with the address of its preview. */
export type Picture = ShownLayer & { readonly src: string };

/** Facts about the newest Items, cached until the newest Items change. */
export interface NewestCache {
  /** A picture for each pipeline, by the pipeline's name. `make` finds the pictures. */
  pictures(make: (newest: readonly ItemVersion[]) => Promise<ReadonlyMap<string, Picture>>): ReturnType<typeof make>;
}

const RUNS = 40;

/** Creates the cache. Each call reads the keys of the newest Items to check if the cached facts are valid. */
export function createNewestCache(catalog: Pick<CatalogStore, 'newest'>): NewestCache {
  // The cache has only one value, so a limit in bytes is not needed: each value counts as 0 bytes.
  const pictures = createByteLimitedCache<'all', ReadonlyMap<string, Picture>>({ mostBytes: 1, sizeOf: () => 0 });
  const versionOf = (newest: readonly ItemVersion[]): string =>
    newest.map(({ collectionPath, id, version, runId }) => [collectionPath, id, version, runId].join(' ')).join('\n');
  return {
    // The newest Items are read before `make` starts. If a run publishes in the meantime, the next call finds other
    // Items, and calls `make` again.
    pictures: async (make) => {
      const newest = await catalog.newest({ runs: RUNS });
      return await pictures.of('all', { version: versionOf(newest), make: () => make(newest) });
    },
  };
}
