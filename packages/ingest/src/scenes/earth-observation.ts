import type { EarthObservation } from '@headwater/core';
import { createSceneCollector } from './scene-filter.ts';
import { searchStacApi, type StacApiOptions } from './stac-api.ts';
import { walkCatalog, type ReadJson } from './static-catalog.ts';

/** Where scenes come from. */
export interface EarthObservationOptions {
  /** Addresses (absolute paths or URLs) of static catalogues: each a catalog.json. */
  readonly roots: readonly string[];
  /** Further catalogues, looked up at every search, so that a folder dropped in later is found. */
  readonly listRoots?: () => Promise<readonly string[]>;
  readonly readJson: ReadJson;
  /** A STAC API searched as well. */
  readonly api?: StacApiOptions;
}

/**
 * Scenes of static catalogues and of a STAC API, joined; of scenes with one id the first wins (catalogues before the API).
 * A catalogue that cannot be read shows among the rejected; an API that cannot be reached throws `unavailable`.
 */
export function createEarthObservation(options: EarthObservationOptions): EarthObservation {
  return {
    async search(query) {
      const into = createSceneCollector(query);
      const roots = new Set([...options.roots, ...((await options.listRoots?.()) ?? [])]);
      for (const root of roots) await walkCatalog(root, { readJson: options.readJson, query, into });
      if (options.api !== undefined) await searchStacApi(options.api, query, into);
      return into.result();
    },
  };
}
