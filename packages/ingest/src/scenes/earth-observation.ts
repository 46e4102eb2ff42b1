import { DomainError, type EarthObservation, type SceneQuery, type SceneSearch } from '@headwater/core';
import { Network, type NetworkOptions, originSet } from '@headwater/net';
import { rootAddress } from './href.ts';
import { createSceneCollector } from './scene-filter.ts';
import { searchStacApi, type StacApiOptions } from './stac-api.ts';
import { walkCatalog, type ReadJson } from './static-catalog.ts';

/** Sources of scenes. */
export interface EarthObservationOptions {
  /** Path or URL of each catalog.json. */
  readonly roots: readonly string[];
  /** Lists further catalogues at every search, so that new ones are found. */
  readonly listRoots?: () => Promise<readonly string[]>;
  /** Lists the allowed folders of local files at every search. Default: all folders. */
  readonly listFolders?: () => Promise<readonly string[]>;
  readonly readJson: ReadJson;
  /** STAC API in addition to the catalogues. */
  readonly api?: StacApiOptions;
  /**
   * Network settings. By default, a search waits ten minutes for servers without response. Only public origins and the
   * origin of `api` are allowed by default.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/**
 * Creates a search of static catalogues and a STAC API. Of scenes with the same id, the newest processing is returned;
 * unreadable catalogues are in `rejected`. The search throws the errors of `walkCatalog` and `searchStacApi`, and
 * `unavailable` at its time limit. This function throws `validation` for an invalid allowed origin.
 */
export function createEarthObservation(sources: EarthObservationOptions): EarthObservation {
  const options = { ...sources, roots: sources.roots.map(rootAddress) };
  const network = networkOf(options);
  // Checked now, because otherwise an invalid origin would throw at the first search.
  originSet(network.settings?.allowedOrigins ?? []);
  return {
    async search(query) {
      const reach = new Network({ ...network, onWait: query.onWait });
      const { searchMs } = reach.settings;
      const over = reach.tools.timeout(searchMs);
      const signal = query.signal === undefined ? over : AbortSignal.any([query.signal, over]);
      try {
        return await searchAll(options, { ...query, signal }, reach);
      } catch (error) {
        query.signal?.throwIfAborted();
        if (!over.aborted) throw error;
        const text = `the search for scenes did not end within ${searchMs / 60_000} minutes; try again or use a faster catalogue`;
        throw new DomainError('unavailable', text, { cause: error });
      }
    },
  };
}

function networkOf({ api, network }: EarthObservationOptions): Pick<NetworkOptions, 'settings' | 'tools'> {
  if (api === undefined || !URL.canParse(api.url)) return { ...network };
  const allowedOrigins = [...(network?.settings?.allowedOrigins ?? []), new URL(api.url).origin];
  return { ...network, settings: { ...network?.settings, allowedOrigins } };
}

async function searchAll(
  { roots, listRoots, listFolders, readJson, api }: EarthObservationOptions,
  query: SceneQuery,
  network: Network,
): Promise<SceneSearch> {
  const within = await listFolders?.();
  const into = createSceneCollector(query, within);
  const walk = { readJson, within, network, query, into, seen: new Set<string>() };
  for (const root of new Set([...roots, ...((await listRoots?.()) ?? [])])) await walkCatalog(root, walk);
  if (api !== undefined) await searchStacApi(api, { query, into, network });
  return into.result();
}
