import type { Cql2Expression, Cql2Geometry } from '@headwater/cql2';
import type { CollectionRecord, ItemKey, ItemVersion, PublishedItem } from './catalog.ts';

/**
 * Serialisation of Items to the text of responses. This text contains a placeholder for the public base address. The text is built once and
 * cached with the Item. Each read names the form of the texts that it returns.
 */
export interface ItemForm {
  /**
   * Cache key; change it if `text` serialises the same Item differently than before. Texts that are cached under another name are built again.
   */
  readonly name: string;
  /** Serialises an Item; always returns the same text for the same Item. */
  readonly text: (published: PublishedItem) => string;
}

/**
 * Option of a publication: the form in which the texts of all changed Items are written in the same transaction. Without this option, each
 * read builds the texts until `ItemSearch.write` has written them.
 */
export interface WithForm {
  readonly form?: ItemForm;
}

/** A published Item as the text of responses. */
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
  /** A box that the Item's geometry must touch; heights are ignored, since Items have none. */
  readonly bbox?: SearchBox;
  /**
   * A geometry that the Item's geometry must touch. Edges are straight lines in degrees, as in RFC 7946. `parseGeometry` must be able to read
   * the geometry.
   */
  readonly intersects?: Cql2Geometry;
  /**
   * A span that the Item's time must touch. The Item's time is from `start_datetime` to `end_datetime`, or `datetime`
   * if the Item has neither.
   */
  readonly interval?: SearchInterval;
  /**
   * A filter that must be true for the Item. `id`, `collection`, `geometry` and `version` have the values of the response text; `datetime`,
   * `start_datetime` and `end_datetime` are instants to the millisecond. Any other name is a member of `properties`, null if absent.
   */
  readonly filter?: Cql2Expression;
}

/** A search for a page of Items. */
export interface SearchRequest extends SearchConditions {
  /**
   * Keys of the order; default: the latest `start_datetime` first. In ascending order, absent values come first, then numbers, then texts. Texts are compared by
   * their first 200 characters. Ties are sorted by id and Collection, in the direction of the last key.
   */
  readonly sort?: readonly SortKey[];
  /** Maximum number of Items. */
  readonly limit: number;
  /** Maximum bytes of text, default `MAX_PAGE_BYTES`; at least one Item is returned, also if it is larger. */
  readonly maxBytes?: number;
  /** `ItemPage.next` of the previous page, with the same `sort`. */
  readonly cursor?: string;
  /** If true, all matching Items are counted. */
  readonly withMatched?: boolean;
  /**
   * Upper limit of the count, default `MAX_COUNTED_ITEMS`. There is a limit, because counting a million Items takes longer than reading a
   * page.
   */
  readonly mostMatched?: number;
  /**
   * Maximum number of Items to scan for the count. If more Items meet the conditions on ids and Collections, the Items are not counted. So the
   * cost of the count does not depend on the other conditions. A first page that contains all matches always has `matched`.
   */
  readonly maxScannedItems?: number;
}

/** A page of Items, in the order of the request. */
export interface ItemPage {
  readonly items: readonly StoredItemText[];
  /** Cursor of the next page; absent on the last page. */
  readonly next?: string;
  /**
   * Number of Items on all pages. Absent if it was not requested, if `maxScannedItems` or `mostMatched` was exceeded, or if the count took too
   * long.
   */
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
  /** Number of Collections on all pages. */
  readonly matched: number;
}

/** Types of values that can be compared; lists and objects cannot be compared. */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean';

/** A property that Items have. */
export interface ItemProperty {
  readonly name: string;
  /** Types of the property's values, ascending, each once. Numbers have the type `integer` if all are integers, otherwise `number`. */
  readonly types: readonly PropertyType[];
  /** True if each of its values is an RFC 3339 instant as text. */
  readonly isInstant: boolean;
}

/** Selects the Items whose texts are written. `missing`: Items without a text. `others`: also Items whose text is in another form. */
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
  /** Returns the path of the Collection with this id, at any level; undefined if nothing is published below it. */
  pathOf(collectionId: string): Promise<string | undefined>;
  /** Returns the number of current Items whose text is not cached in this form. */
  unwritten(form: ItemForm): Promise<number>;
  /** Writes texts of Items in this form, at most `most`; `which` is `others` by default. Returns the number of written texts. */
  write(form: ItemForm, most: number, which?: TextsToWrite): Promise<number>;
}
