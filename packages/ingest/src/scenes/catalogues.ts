import { resolve } from 'node:path';
import type { EarthObservation } from '@headwater/core';
import type { NetworkOptions } from '@headwater/net';
import { catalogues, realFolders } from './catalogue-folders.ts';
import { createEarthObservation } from './earth-observation.ts';
import { createScenesProbe } from './probe-scenes.ts';
import { readJson } from './read-json.ts';

/** Where `openScenes` looks. */
export interface SceneSources {
  /** Folder that holds static STAC catalogues, at any depth down to four; a relative one from the working directory of the composition. */
  readonly folder: string;
  /** A STAC API searched as well: its address and the collections of Sentinel-2 L2A scenes in it. */
  readonly api?: { readonly url: string; readonly collections: readonly string[] };
  /**
   * How long each search waits for servers that do not answer, default: ten minutes; and the origins that may be asked although they
   * are not public, beside that of `api`, default: none.
   */
  readonly network?: Pick<NetworkOptions, 'settings' | 'tools'>;
}

/** The search alone. */
function searchScenes({ folder, api, network }: SceneSources): EarthObservation {
  return createEarthObservation({
    roots: [],
    listRoots: () => catalogues(folder),
    listFolders: () => realFolders(folder),
    readJson,
    ...(network === undefined ? {} : { network }),
    ...(api === undefined ? {} : { api }),
  });
}

/** Scenes of every catalogue that lies in the folder at the time of a search, and of the STAC API where one is given. */
export function openScenes({ folder: given, ...sources }: SceneSources): EarthObservation {
  const { api } = sources;
  const folder = resolve(given);
  return {
    ...searchScenes({ folder, ...sources }),
    probe: createScenesProbe({ catalogues: () => catalogues(folder), api }),
  };
}
