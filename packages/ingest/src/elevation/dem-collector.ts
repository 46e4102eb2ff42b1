import { type Box, DomainError, publicAddress } from '@headwater/core';
import type { Within } from '@headwater/net/files';
import { type ItemSink, asText, own, type JsonObject } from '../scenes/json.ts';
import { boxesTouch } from '../scenes/boxes.ts';
import { demFromItem } from './dem-from-item.ts';
import type { DemTile } from './dem-set.ts';

/** Maximum number of tiles in one box. A tehsil lies on one to four tiles of any global model. */
const MAX_TILES = 2000;
/** Maximum number of Items in one search. */
const MAX_ITEMS = 200_000;

/** Box and callbacks of a search for tiles. */
export interface TileSearch {
  readonly box: Box;
  readonly within: Within;
  /** Called with the reason if an Item is left out. */
  readonly warn: (message: string) => void;
}

/** Tiles of one Collection, and its document if the search found it. */
export interface CollectionTiles {
  readonly tiles: readonly DemTile[];
  readonly collection: JsonObject | undefined;
}

/** Collects the tiles of a box, grouped by Collection. Throws `input_data` if there are more tiles than any box needs. */
export class DemCollector implements ItemSink {
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

  /** The data sets sorted by Collection id, and their tiles sorted by address, so that each search returns the same order. */
  result(): readonly CollectionTiles[] {
    const sorted = [...this.#tiles].toSorted(([a], [b]) => (a < b ? -1 : 1));
    return sorted.map(([id, tiles]) => ({
      tiles: [...tiles.values()].toSorted((a, b) => (a.href < b.href ? -1 : 1)),
      // If there is only one Collection, Items need not name it.
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
