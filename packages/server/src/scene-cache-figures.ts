import type { SceneCacheFigures } from '@headwater/http-service';
import { watchBlockCache } from '@headwater/raster';

/** Counts reads of the scene cache by all threads. The returned function returns the counts. */
export function countSceneCache(): () => SceneCacheFigures {
  let figures: SceneCacheFigures = { hits: 0, misses: 0, hitBytes: 0, missBytes: 0 };
  watchBlockCache(({ hits, misses, hitBytes, missBytes }) => {
    figures = {
      hits: figures.hits + hits,
      misses: figures.misses + misses,
      hitBytes: figures.hitBytes + hitBytes,
      missBytes: figures.missBytes + missBytes,
    };
  });
  return () => figures;
}
