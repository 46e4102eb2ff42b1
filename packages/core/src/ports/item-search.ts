import type { Cql2Expression, Cql2Geometry } from '@headwater/cql2';
import type { CollectionRecord, ItemKey, ItemVersion, PublishedItem } from './catalog.ts';

/**
 * Serialisation of Items to the text that is sent: final except for a placeholder of the public base address. The text is built once and
 * cached next to the Item; a reader names the form it needs.
 */
export interface ItemForm {
  /** Cache key: differs whenever the same Item would be serialised differently. Texts cached under another name are rebuilt. */
  readonly name: string;
  /** Serialises an Item; always returns the same text for the same Item. */
  readonly text: (published: PublishedItem) => string;
}

/**
 * Option of a publication: the form in which the texts of all changed Items are written in the same transaction. Without it, readers build
 * the texts until they are written.
 */
export interface WithForm {
  readonly form?: ItemForm;
}

/** A published Item as the text that is sent. */
export interface StoredItemText extends ItemVersion {
  /** Time of publication, ISO 8601 UTC. */
  readonly updated: string;
  readonly text: string;
}

/** `[west, south, east, north]` or, with heights, six numbers; degrees. West > east crosses the antimeridian. */
export type SearchBox = readonly number[];

/** Identity of an Item for STAC clients. */
export interface ItemName {
  readonly collectionId: string;
  readonly id: string;
}

/** A time span, ends included; null for an open end. ISO 8601 UTC. */
export interface SearchInterval {
  readonly start: string | null;
  readonly end: string | null;
}

/** A property to sort by: `id`, `collection`, `version`, or a name in the Item's `properties`. */
export interface SortKey {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** Conditions on Items; an Item must meet all that are set. An empty list of ids matches nothing. */
export interface SearchConditions {
  /** Ids of the Collections that hold the Items; unknown ids match nothing. */
  readonly collections?: readonly string[];
  readonly ids?: readonly string[];
  /** The Item's geometry touches this box; heights are ignored, since Items have none. */
  readonly bbox?: SearchBox;
  /** The Item's geometry touches this one; planar, in degrees, as RFC 7946 treats edges. Any geometry that `parseGeometry` reads. */
  readonly intersects?: Cql2Geometry;
  /** The Item's time touches this span: from `start_datetime` to `end_datetime`, or `datetime` if it has neither. */
  readonly interval?: SearchInterval;
  /**
   * The filter is true for the Item. `id`, `collection`, `geometry` and `version` are as in the text that is sent; `datetime`,
   * `start_datetime` and `end_datetime` are instants to the millisecond. Any other name is a member of `properties`, null if absent.
   */
  readonly filter?: Cql2Expression;
}

/** A search for a page of Items. */
export interface SearchRequest extends SearchConditions {
  /**
   * Default: the latest `start_datetime` first. An absent value sorts before any other, numbers before texts, and texts by their first 200
   * characters. Ties are sorted by id and Collection, in the direction of the last key.
   */
  readonly sort?: readonly SortKey[];
  /** Maximum number of Items. */
  readonly limit: number;
  /** Maximum bytes of text, default `MAX_PAGE_BYTES`; at least one Item is returned, whatever its size. */
  readonly maxBytes?: number;
  /** `ItemPage.next` of the page before, with the same `sort`. */
  readonly cursor?: string;
  /** True: count all matching Items. */
  readonly withMatched?: boolean;
  /** Upper limit of the count, default `MAX_COUNTED_ITEMS`: counting a million Items takes longer than any page. */
  readonly mostMatched?: number;
  /**
   * Items are counted only if their ids and Collections leave at most this many Items to scan: that bounds the cost, whatever the other
   * conditions are. A first page that holds all matches has their number in any case.
   */
  readonly maxScannedItems?: number;
}

/** A page of Items, in the order of the request. */
export interface ItemPage {
  readonly items: readonly StoredItemText[];
  /** Cursor of the next page; absent after the last Item. */
  readonly next?: string;
  /**
   * Number of Items on all pages. Absent unless requested, within `maxScannedItems` and `mostMatched`, and counted in time by the store.
   */
  readonly matched?: number;
}

/** A Collection of the listing. */
export interface ListedCollection extends CollectionRecord {
  /** Id that STAC clients use for the Collection. */
  readonly id: string;
  /** Number of Items directly in it. */
  readonly itemCount: number;
}

/** A search for a page of Collections, sorted by path, ascending. */
export interface CollectionRequest {
  /** Only Collections directly below this path; '' for the level of states. */
  readonly parent?: string;
  /** Only Collections that themselves hold Items. */
  readonly holdsItems?: boolean;
  readonly ids?: readonly string[];
  /** The Collection's extent touches this box. */
  readonly bbox?: SearchBox;
  /** The Collection's extent in time touches this span. */
  readonly interval?: SearchInterval;
  /** Words that the id or path must all contain, ignoring case. */
  readonly words?: readonly string[];
  readonly limit: number;
  /** `CollectionPage.next` of the page before. */
  readonly cursor?: string;
}

/** A page of Collections. */
export interface CollectionPage {
  readonly collections: readonly ListedCollection[];
  readonly next?: string;
  /** Number of Collections on all pages. */
  readonly matched: number;
}

/** Types of values that can be compared; lists and objects have none. */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean';

/** A property that Items have. */
export interface ItemProperty {
  readonly name: string;
  /** Types of its values, ascending, each once: `number` if one of the numbers is not an integer. */
  readonly types: readonly PropertyType[];
  /** True if each of its values is an RFC 3339 instant as text. */
  readonly isInstant: boolean;
}

/** Texts to write: of Items that have none, or also of Items cached in another form. */
export type TextsToWrite = 'missing' | 'others';

/** Searches of the present versions of published Items. Invalid cursors and conditions are `validation` errors. */
export interface ItemSearch {
  /** Returns Items as texts ready to send. Throws `took_too_long` if the store stops a long search. */
  search(request: SearchRequest, form: ItemForm): Promise<ItemPage>;
  /** The Item with this present or former name; undefined if the Item or its Collection does not exist. */
  item(name: ItemName, form: ItemForm): Promise<StoredItemText | undefined>;
  /** The Item at this path of the catalogue. */
  itemAt(key: ItemKey, form: ItemForm): Promise<StoredItemText | undefined>;
  /** Comparable `properties` of the newest Items of a Collection (`most` at most), by name, ascending. */
  properties(collectionId: string, most: number): Promise<readonly ItemProperty[]>;
  collections(request: CollectionRequest): Promise<CollectionPage>;
  /** Path of the Collection with this id, at any level; undefined if nothing is published below it. */
  pathOf(collectionId: string): Promise<string | undefined>;
  /** Number of Items whose text is not cached in this form. */
  unwritten(form: ItemForm): Promise<number>;
  /** Writes texts of Items in this form, `most` at most; default: all that are not cached in it. Returns how many were written. */
  write(form: ItemForm, most: number, which?: TextsToWrite): Promise<number>;
}
