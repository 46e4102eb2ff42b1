import { DomainError, type EarthObservation, type SceneQuery, type SceneSearch } from '@headwater/core';
import { Network, type NetworkOptions, originSet } from '@headwater/net';
import { rootAddress } from './href.ts';
import { createSceneCollector } from './scene-filter.ts';
import { searchStacApi, type StacApiOptions } from './stac-api.ts';
import { walkCatalog, type ReadJson } from './static-catalog.ts';

/** Sources of scenes. */
export interface EarthObservationOptions {
  /** Static catalogues: path (a relative one is resolved against the working directory) or URL of each catalog.json. */
  readonly roots: readonly string[];
  /** Lists further catalogues (absolute paths or URLs) at every search, so that a folder added later is found. */
  readonly listRoots?: () => Promise<readonly string[]>;
  /** Lists the real folders in which local files of scenes are allowed, at every search; default: anywhere. */
  readonly listFolders?: () => Promise<readonly string[]>;
  readonly readJson: ReadJson;
  /** A STAC API to search as well. */
  readonly api?: StacApiOptions;
  /**
   * Time limit of a search for servers that do not respond, default: ten minutes; and the origins that are allowed although they
   * are not public, in addition to that of `api`, default: none.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/**
 * Joins the scenes of static catalogues and of a STAC API. Of scenes with one id the newest processing wins, otherwise the first (catalogues before
 * the API). A catalogue that cannot be read is listed among the rejected. Throws `unavailable` if a server does not respond in time, `validation`
 * for an invalid allowed origin.
 */
export function createEarthObservation(sources: EarthObservationOptions): EarthObservation {
  const options = { ...sources, roots: sources.roots.map(rootAddress) };
  const network = networkOf(options);
  // Throws for invalid origins here, not at the first search.
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

/** The network's options; the API's own origin is always allowed. */
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
