import type { Box } from '@headwater/core';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { realFolders, rootIn } from '../scenes/catalogue-folders.ts';
import { readJson } from '../scenes/read-json.ts';
import { readStacCollection, searchStacApi } from '../scenes/stac-api.ts';
import { walkCatalog } from '../scenes/static-catalog.ts';
import { collectionNotice } from './collection-notice.ts';
import { DemCollector } from './dem-collector.ts';
import { readNotice, unnamed } from './dem-notice.ts';
import type { DemSet } from './dem-set.ts';
import type { TileAccess } from './tile-version.ts';

/** A folder of elevations: GeoTIFFs of one data set, or a static STAC catalogue with links to the files. */
interface DemFolder {
  readonly path: string;
  /** Path of its catalog.json or collection.json. */
  readonly catalogue: string | undefined;
  /** Paths of its GeoTIFFs. */
  readonly files: readonly string[];
}

/** The folder and its subfolders, sorted by name, that have a catalogue or GeoTIFFs; empty if the folder is missing. */
async function demFolders(root: string): Promise<readonly DemFolder[]> {
  const own = await realpath(root).catch(() => undefined);
  if (own === undefined) return [];
  const entries = await readdir(own, { withFileTypes: true });
  const below = entries.filter((entry) => entry.isDirectory() || entry.isSymbolicLink()).map(({ name }) => name);
  const paths = [own, ...below.toSorted().map((name) => join(own, name))];
  const folders = await Promise.all(paths.map(demFolder));
  return folders.filter(({ catalogue, files }) => catalogue !== undefined || files.length > 0);
}

async function demFolder(path: string): Promise<DemFolder> {
  const [[catalogue], names] = await Promise.all([rootIn(path), readdir(path).catch(() => [])]);
  const files = names.filter((name) => /\.tiff?$/i.test(name)).toSorted();
  return { path, catalogue, files: files.map((name) => join(path, name)) };
}

/** A STAC API and its Collection of elevations. */
export interface DemApi {
  /** Address of the landing page. A user name and password in it are sent as a header, only to this origin. */
  readonly url: string;
  readonly collection: string;
}

/** Sources of data sets, and the box to cover. */
export interface DemSearch extends TileAccess {
  readonly box: Box;
  readonly folder: string;
  readonly api: DemApi | undefined;
  /** Called with the reason if an Item is left out. */
  readonly warn: (message: string) => void;
}

/**
 * Data sets that may cover the box: first the data sets of the folder, sorted by name, then the data set of the API. The API is searched only if
 * no folder covers the box.
 */
export async function* demSets(search: DemSearch): AsyncGenerator<DemSet> {
  for (const folder of await demFolders(search.folder)) {
    if (folder.catalogue === undefined) yield setOfFiles(folder);
    else yield* await setsOfCatalogue(folder, folder.catalogue, search);
  }
  if (search.api !== undefined) yield* await setsOfApi(search.api, search);
}

const setOfFiles = ({ path, files }: DemFolder): DemSet => ({
  tiles: files.map((href) => ({ href, itemVersion: '', synthetic: false })),
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
