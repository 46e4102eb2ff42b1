import { DomainError, type EarthObservation, type SceneQuery, type SceneSearch } from '@headwater/core';
import { Network, type NetworkOptions, originSet } from '@headwater/net';
import { rootAddress } from './href.ts';
import { createSceneCollector } from './scene-filter.ts';
import { searchStacApi, type StacApiOptions } from './stac-api.ts';
import { walkCatalog, type ReadJson } from './static-catalog.ts';

/** Where scenes come from. */
export interface EarthObservationOptions {
  /** Static catalogues: paths (relative ones from the working directory of the composition) or URLs of a catalog.json each. */
  readonly roots: readonly string[];
  /** Further catalogues (absolute paths or URLs), looked up at every search, so that a folder dropped in later is found. */
  readonly listRoots?: () => Promise<readonly string[]>;
  /** Real folders that local files of scenes must lie in, looked up at every search; default: they may lie anywhere. */
  readonly listFolders?: () => Promise<readonly string[]>;
  readonly readJson: ReadJson;
  /** A STAC API searched as well. */
  readonly api?: StacApiOptions;
  /**
   * How long each search waits for servers that do not answer, default: ten minutes; and the origins that may be asked although they
   * are not public, beside that of `api`, default: none.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/**
 * Scenes of static catalogues and of a STAC API, joined; of scenes with one id the newest processing wins, else the first (catalogues before the API).
 * A catalogue that cannot be read shows among the rejected; a server that does not answer is waited for, then `unavailable` is thrown.
 * Throws `validation` for an allowed origin that is none.
 */
export function createEarthObservation(given: EarthObservationOptions): EarthObservation {
  const options = { ...given, roots: given.roots.map(rootAddress) };
  const network = networkOf(options);
  // What it would refuse is met here, not by the first search.
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
        const text = `the search for scenes was not over after ${searchMs / 60_000} minutes; try again or use a faster catalogue`;
        throw new DomainError('unavailable', text, { cause: error });
      }
    },
  };
}

/** The network's options with the API's own origin: whoever gave its address wants it asked. */
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
