import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import type { EarthObservation, Scene } from '@headwater/core';
import type { NetworkOptions } from '@headwater/net';
import { catalogues, realFolders, sourceIn } from './catalogue-folders.ts';
import { createEarthObservation } from './earth-observation.ts';
import { createScenesProbe } from './probe-scenes.ts';
import { readJson } from './read-json.ts';

/** Sources of `openScenes`. */
export interface SceneSources {
  /** Folder of static STAC catalogues, at most four levels deep. */
  readonly folder: string;
  /** STAC API, and its collections of Sentinel-2 L2A scenes. */
  readonly api?: { readonly url: string; readonly collections: readonly string[] };
  /**
   * Network settings. By default, a search waits ten minutes for servers without response. Only public origins and the
   * origin of `api` are allowed by default.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

function createSearch({ folder, api, network }: SceneSources): EarthObservation {
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(folder),
    listFolders: () => realFolders(folder),
    readJson,
    ...(network === undefined ? {} : { network }),
    ...(api === undefined ? {} : { api }),
  });
}

async function withSources(scene: Scene, folder: string): Promise<Scene> {
  const bands = Object.entries(scene.bands).map(async ([name, band]) => {
    const { source } = sourceIn(folder, band.href);
    if (source === undefined) return [name, band] as const;
    const size = (await stat(band.href).catch(() => undefined))?.size ?? 'missing';
    return [name, { ...band, source: `${source} ${size}` }] as const;
  });
  return { ...scene, bands: Object.fromEntries(await Promise.all(bands)) };
}

/** Creates a search over the STAC API and the folder's catalogues, which are listed again at each search. */
export function openScenes({ folder: path, ...sources }: SceneSources): EarthObservation {
  const { api } = sources;
  const folder = resolve(path);
  const { search } = createSearch({ folder, ...sources });
  return {
    search: async (query) => {
      const found = await search(query);
      return { ...found, scenes: await Promise.all(found.scenes.map((scene) => withSources(scene, folder))) };
    },
    probe: createScenesProbe({ catalogues: () => catalogues(folder), api }),
  };
}
