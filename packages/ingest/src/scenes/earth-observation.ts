import type { EarthObservation } from '@headwater/core';
import { Network, type NetworkOptions } from '@headwater/raster/network';
import { createSceneCollector } from './scene-filter.ts';
import { searchStacApi, type StacApiOptions } from './stac-api.ts';
import { walkCatalog, type ReadJson } from './static-catalog.ts';

/** Where scenes come from. */
export interface EarthObservationOptions {
  /** Addresses (absolute paths or URLs) of static catalogues: each a catalog.json. */
  readonly roots: readonly string[];
  /** Further catalogues, looked up at every search, so that a folder dropped in later is found. */
  readonly listRoots?: () => Promise<readonly string[]>;
  /** Real folders that local files of scenes must lie in, looked up at every search; default: they may lie anywhere. */
  readonly listFolders?: () => Promise<readonly string[]>;
  readonly readJson: ReadJson;
  /** A STAC API searched as well. */
  readonly api?: StacApiOptions;
  /** How long each search waits for servers that do not answer; default: ten minutes. */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/**
 * Scenes of static catalogues and of a STAC API, joined; of scenes with one id the newest processing wins, else the first (catalogues before the API).
 * A catalogue that cannot be read shows among the rejected; a server that does not answer is waited for, then `unavailable` is thrown.
 */
export function createEarthObservation(options: EarthObservationOptions): EarthObservation {
  return {
    async search(query) {
      const within = await options.listFolders?.();
      const into = createSceneCollector(query, within);
      const network = new Network({ ...options.network, onWait: query.onWait });
      const roots = new Set([...options.roots, ...((await options.listRoots?.()) ?? [])]);
      const walk = { readJson: options.readJson, within, network, query, into, seen: new Set<string>() };
      for (const root of roots) await walkCatalog(root, walk);
      if (options.api !== undefined) await searchStacApi(options.api, { query, into, network });
      return into.result();
    },
  };
}
