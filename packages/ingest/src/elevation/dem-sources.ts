import { type Box, DomainError, publicAddress } from '@headwater/core';
import { readdir, realpath } from 'node:fs/promises';
import { join } from 'node:path';
import type { Within } from '@headwater/net/files';
import { realFolders, rootIn } from '../scenes/catalogue-folders.ts';
import { readJson } from '../scenes/read-json.ts';
import { readStacCollection, searchStacApi } from '../scenes/stac-api.ts';
import { walkCatalog } from '../scenes/static-catalog.ts';
import { readNotice, unnamed, type DemNotice } from './dem-notice.ts';
import { type DemSet, type DemTile, demFromItem } from './dem-from-item.ts';
import type { TileAccess } from './tile-version.ts';
import { asList, asObject, asText, own, type JsonObject, type ItemSink } from '../scenes/json.ts';
import { boxesTouch } from '../scenes/boxes.ts';

interface DemFolder {
  readonly path: string;
  readonly catalogue: string | undefined;
  readonly files: readonly string[];
}

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
  /** Address of the landing page. User name and password are sent as a header, only to this origin. */
  readonly url: string;
  readonly collection: string;
}

/** Sources of data sets, and the box to cover. */
export interface DemSearch extends TileAccess {
  readonly box: Box;
  readonly folder: string;
  readonly api: DemApi | undefined;
  /** Called with the reason for each Item that cannot be used. */
  readonly warn: (message: string) => void;
}

/**
 * Data sets that may cover the box: first from the folder, sorted by name, then from the API. The API is searched only
 * if the caller needs further sets.
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

/** Maximum length of a title or credit in characters, because every resulting Item contains a copy of the text. */
const MOST = 300;
const MOST_PROVIDERS = 10;
const MAKERS = ['licensor', 'producer', 'processor'] as const;

function collectionNotice(collection: JsonObject): DemNotice {
  const id = short(asText(own(collection, 'id'))) ?? 'without id';
  const title = short(asText(own(collection, 'title'))) ?? `Elevation data of the Collection ${id}`;
  const license = asText(own(collection, 'license'));
  return {
    title,
    license: license !== undefined && isIdentifier(license) ? license : 'other',
    attribution: creditOf(collection) ?? `${title} (its Collection names no provider)`,
    synthetic: false,
  };
}

/** True for an SPDX identifier. STAC 1.0 has `proprietary` or `various` for other licenses. */
const isIdentifier = (text: string): boolean =>
  /^[A-Za-z0-9][A-Za-z0-9.+-]{0,99}$/.test(text) && !/^(?:proprietary|various)$/i.test(text);

function creditOf(collection: JsonObject): string | undefined {
  const attribution = short(asText(own(collection, 'attribution')));
  if (attribution !== undefined) return attribution;
  const providers = asList(own(collection, 'providers')).slice(0, MOST_PROVIDERS).map(asObject);
  const named = providers.flatMap((provider) => {
    const name = provider && short(asText(own(provider, 'name')));
    if (provider === undefined || name === undefined) return [];
    const roles = asList(own(provider, 'roles'));
    return [{ name, isMaker: MAKERS.some((role) => roles.includes(role)) }];
  });
  const makers = named.filter(({ isMaker }) => isMaker);
  const names = (makers.length > 0 ? makers : named).map(({ name }) => name);
  return names.length > 0 ? names.join(', ') : undefined;
}

function short(text: string | undefined): string | undefined {
  const trimmed = text?.trim().slice(0, MOST);
  return trimmed === '' ? undefined : trimmed;
}

/** Maximum number of tiles over the box. A tehsil lies on one to four tiles of any global model. */
const MAX_TILES = 2000;
const MAX_ITEMS = 200_000;

interface TileSearch {
  readonly box: Box;
  readonly within: Within;
  readonly warn: (message: string) => void;
}

interface CollectionTiles {
  readonly tiles: readonly DemTile[];
  readonly collection: JsonObject | undefined;
}

class DemCollector implements ItemSink {
  readonly #search: TileSearch;
  readonly #tiles = new Map<string, Map<string, DemTile>>();
  readonly #collections = new Map<string, JsonObject>();
  #items = 0;
  #count = 0;

  constructor(search: TileSearch) {
    this.#search = search;
  }

  readonly add = (item: unknown, itemHref: string): void => {
    this.#items += 1;
    if (this.#items > MAX_ITEMS) throw tooMany(itemHref, `${MAX_ITEMS} Items`);
    const { box, within } = this.#search;
    const found = demFromItem(item, itemHref, within);
    if ('reason' in found) this.reject(itemHref, found.reason);
    else if (found.tile.bbox !== undefined && boxesTouch(found.tile.bbox, box)) this.#keep(found, itemHref);
  };

  readonly reject = (itemHref: string, reason: string): void =>
    this.#search.warn(`Elevation Item ${publicAddress(itemHref)} is not used: ${reason}`);

  readonly collection = (collection: JsonObject): void => {
    const id = asText(own(collection, 'id')) ?? '';
    if (!this.#collections.has(id)) this.#collections.set(id, collection);
  };

  /** Sorted, so that each search returns the tiles in the same order. */
  result(): readonly CollectionTiles[] {
    const sorted = [...this.#tiles].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([id, tiles]) => ({
      tiles: [...tiles.values()].toSorted((a, b) => (a.href < b.href ? -1 : 1)),
      // If there is only one Collection, an Item without Collection belongs to it.
      collection: this.#collections.get(id) ?? (id === '' ? this.#onlyCollection() : undefined),
    }));
  }

  #onlyCollection(): JsonObject | undefined {
    const [first] = this.#collections.values();
    return this.#collections.size === 1 ? first : undefined;
  }

  #keep({ tile, collection }: { readonly tile: DemTile; readonly collection: string }, itemHref: string): void {
    const tiles = this.#tiles.get(collection) ?? new Map<string, DemTile>();
    this.#tiles.set(collection, tiles);
    if (tiles.has(tile.href)) return;
    this.#count += 1;
    if (this.#count > MAX_TILES) throw tooMany(itemHref, `${MAX_TILES} tiles for one box`);
    tiles.set(tile.href, tile);
  }
}

function tooMany(itemHref: string, what: string): DomainError {
  const text = `${publicAddress(itemHref)}: the search for elevation tiles found more than ${what}; use a smaller catalogue`;
  return new DomainError('input_data', text);
}
