import type { Box } from '@headwater/core';
import { realFolders } from '../scenes/catalogue-folders.ts';
import { readJson } from '../scenes/read-json.ts';
import { readStacCollection, searchStacApi } from '../scenes/stac-api.ts';
import { walkCatalog } from '../scenes/static-catalog.ts';
import { collectionNotice } from './collection-notice.ts';
import { DemCollector } from './dem-collector.ts';
import { type DemFolder, demFolders } from './dem-folders.ts';
import { readNotice, unnamed } from './dem-notice.ts';
import type { DemSet } from './dem-set.ts';
import type { TileReach } from './tile-version.ts';

/** A STAC API and the Collection of heights in it. */
export interface DemApi {
  /** Landing page; user name and password in it are sent as a header, to its own origin alone. */
  readonly url: string;
  readonly collection: string;
}

/** Where data sets are looked for, over which box. */
export interface DemSearch extends TileReach {
  readonly box: Box;
  readonly folder: string;
  readonly api: DemApi | undefined;
  /** Told why an Item is left out. */
  readonly warn: (message: string) => void;
}

/** Data sets that may have the box: those of the folder by name, then that of the API, which is asked only where no folder has all of it. */
export async function* demSets(search: DemSearch): AsyncGenerator<DemSet> {
  for (const folder of await demFolders(search.folder)) {
    if (folder.catalogue === undefined) yield setOfFiles(folder);
    else yield* await setsOfCatalogue(folder, folder.catalogue, search);
  }
  if (search.api !== undefined) yield* await setsOfApi(search.api, search);
}

const setOfFiles = ({ path, files }: DemFolder): DemSet => ({
  tiles: files.map((href) => ({ href, said: '', synthetic: false })),
  notice: async () => (await readNotice(path)) ?? unnamed(path),
});

/** One data set for each Collection of the catalogue. */
async function setsOfCatalogue({ path }: DemFolder, root: string, search: DemSearch): Promise<readonly DemSet[]> {
  const { box, folder, warn, network, signal } = search;
  const within = await realFolders(folder);
  const into = new DemCollector({ box, within, warn });
  await walkCatalog(root, { readJson, network, within, query: { signal }, into, seen: new Set() });
  return into.result().map(({ tiles, collection }) => ({
    tiles,
    notice: async () =>
      (await readNotice(path)) ?? (collection === undefined ? unnamed(path) : collectionNotice(collection)),
  }));
}

async function setsOfApi(api: DemApi, { box, warn, network, signal }: DemSearch): Promise<readonly DemSet[]> {
  const into = new DemCollector({ box, within: [], warn });
  const options = { url: api.url, collections: [api.collection] };
  await searchStacApi(options, { query: { bbox: box, signal }, into, network });
  return into.result().map(({ tiles }) => ({
    tiles,
    notice: async () => collectionNotice(await readStacCollection(options, api.collection, { network, signal })),
  }));
}
