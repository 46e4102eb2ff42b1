import type { Cql2Expression, Cql2Geometry } from '@headwater/cql2';
import type { CollectionRecord, ItemKey, ItemVersion, PublishedItem } from './catalog.ts';

/** Serialisation of Items to the cached text of responses, with a placeholder for the public base address. */
export interface ItemForm {
  /** Cache key; change it if `text` serialises an Item differently than before. */
  readonly name: string;
  /** Serialises an Item; always returns an equal text for an equal Item. */
  readonly text: (published: PublishedItem) => string;
}

/**
 * Form in which a publication writes the texts of its Items. Without it, each read builds the text, until
 * `ItemSearch.write` stores the text.
 */
export interface WithForm {
  readonly form?: ItemForm;
}

/** A published Item as the text of responses. */
export interface StoredItemText extends ItemVersion {
  /** Time of publication or of the last change, ISO 8601 UTC. */
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

/** A time span with both ends included, ISO 8601 UTC; null for an open end. */
export interface SearchInterval {
  readonly start: string | null;
  readonly end: string | null;
}

/** A property to sort by: `id`, `collection`, `version`, or a name in the Item's `properties`. */
export interface SortKey {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** Conditions on Items; an Item must meet all of them. An empty list of ids matches nothing. */
export interface SearchConditions {
  /** Ids of the Collections to which the Items belong; unknown ids match nothing. */
  readonly collections?: readonly string[];
  readonly ids?: readonly string[];
  /** A box that the Item's geometry must touch; heights are ignored. */
  readonly bbox?: SearchBox;
  /**
   * A geometry, as `parseGeometry` returns it, that the Item's geometry must touch. Edges are straight in degrees (RFC
   * 7946).
   */
  readonly intersects?: Cql2Geometry;
  /** A span that the Item's time (`start_datetime` to `end_datetime`, otherwise `datetime`) must touch. */
  readonly interval?: SearchInterval;
  /** A filter on `id`, `collection`, `geometry`, `version`, times, or members of `properties` (null if absent). */
  readonly filter?: Cql2Expression;
}

/** A search for a page of Items. */
export interface SearchRequest extends SearchConditions {
  /**
   * Keys of the order; default: latest `start_datetime` first. Ascending order: absent values, then numbers, then
   * texts. Equal values are sorted by id and Collection.
   */
  readonly sort?: readonly SortKey[];
  /** Maximum number of Items. */
  readonly limit: number;
  /** Maximum bytes of text, default `MAX_PAGE_BYTES`; at least one Item is returned. */
  readonly maxBytes?: number;
  /** `ItemPage.next` of the previous page. `sort` must be the same as for that page. */
  readonly cursor?: string;
  /** If true, all matching Items are counted. */
  readonly withMatched?: boolean;
  /** Upper limit of the count, default `MAX_COUNTED_ITEMS`, because counting a million Items is slow. */
  readonly mostMatched?: number;
  /** Maximum number of Items that `ids` and `collections` may select for a count, because the count reads them all. */
  readonly maxScannedItems?: number;
}

/** A page of Items, in the order of the request. */
export interface ItemPage {
  readonly items: readonly StoredItemText[];
  /** Cursor of the next page; absent on the last page. */
  readonly next?: string;
  /** Number of Items on all pages; absent if not requested, above a limit, or too slow. */
  readonly matched?: number;
}

/** A Collection of the listing. */
export interface ListedCollection extends CollectionRecord {
  /** Id that STAC clients use for the Collection. */
  readonly id: string;
  /** Number of Items directly in the Collection. */
  readonly itemCount: number;
}

/** A search for a page of Collections, sorted by path, ascending. */
export interface CollectionRequest {
  /** Only Collections directly below this path; '' for the level of states. */
  readonly parent?: string;
  /** If true, only Collections that have Items directly in them. */
  readonly holdsItems?: boolean;
  readonly ids?: readonly string[];
  /** A box that the Collection's extent must touch. */
  readonly bbox?: SearchBox;
  /** A span that the Collection's extent in time must touch. */
  readonly interval?: SearchInterval;
  /** Words that must all be in the id or path, ignoring case. */
  readonly words?: readonly string[];
  readonly limit: number;
  /** `CollectionPage.next` of the previous page. */
  readonly cursor?: string;
}

/** A page of Collections. */
export interface CollectionPage {
  readonly collections: readonly ListedCollection[];
  readonly next?: string;
  readonly matched: number;
}

/** Types of values that can be compared. */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean';

/** A property that Items have. */
export interface ItemProperty {
  readonly name: string;
  /** Types of the property's values, ascending. Numbers are `integer` if all are integers, otherwise `number`. */
  readonly types: readonly PropertyType[];
  /** True if each of its values is an RFC 3339 instant as text. */
  readonly isInstant: boolean;
}

/**
 * Items for which `ItemSearch.write` writes texts. `missing`: Items without a text. `others`: also Items with a text in
 * another form.
 */
export type TextsToWrite = 'missing' | 'others';

/** Searches of the present versions of published Items. Invalid cursors and conditions are `validation` errors. */
export interface ItemSearch {
  /** Returns Items as texts of responses. Throws `took_too_long` if the store stops a long search. */
  search(request: SearchRequest, form: ItemForm): Promise<ItemPage>;
  /** Returns the Item with this present or former name; undefined if the Item or its Collection does not exist. */
  item(name: ItemName, form: ItemForm): Promise<StoredItemText | undefined>;
  /** Returns the Item at this path of the catalogue. */
  itemAt(key: ItemKey, form: ItemForm): Promise<StoredItemText | undefined>;
  /** Returns the comparable `properties` of the newest Items (at most `most`) of a Collection, ordered by name. */
  properties(collectionId: string, most: number): Promise<readonly ItemProperty[]>;
  collections(request: CollectionRequest): Promise<CollectionPage>;
  /** Returns the path of the Collection with this id; undefined if nothing is published below it. */
  pathOf(collectionId: string): Promise<string | undefined>;
  /** Returns the number of current Items whose text is not cached in this form. */
  unwritten(form: ItemForm): Promise<number>;
  /**
   * Writes at most `most` texts of Items in this form (default `which`: `others`). Returns the number of written texts.
   */
  write(form: ItemForm, most: number, which?: TextsToWrite): Promise<number>;
}
