import type { Cql2Expression, Cql2Geometry } from '@headwater/cql2';
import type { CollectionRecord, ItemKey, ItemVersion, PublishedItem } from './catalog.ts';

/**
 * How an Item is written as it is sent: one text, final but for a stand-in of the public base address. The text of an Item is made once
 * and kept beside it; whoever reads names the form that it wants.
 */
export interface ItemForm {
  /** Changes whenever the same Item would be written differently: what is kept under another name is written anew. */
  readonly name: string;
  /** The same text for the same Item, always. */
  readonly text: (published: PublishedItem) => string;
}

/**
 * Beside what is published: the form in which the texts of all Items that it changes are written, in the same transaction. Without one
 * they are made by whoever reads, until somebody writes them.
 */
export interface WithForm {
  readonly form?: ItemForm;
}

/** A published Item as the text that is sent. */
export interface StoredItemText extends ItemVersion {
  /** When it was published, ISO 8601 UTC. */
  readonly updated: string;
  readonly text: string;
}

/** `[west, south, east, north]` or, with heights, six numbers; degrees. West > east crosses the antimeridian. */
export type SearchBox = readonly number[];

/** What STAC clients call an Item by. */
export interface ItemName {
  readonly collectionId: string;
  readonly id: string;
}

/** A span of time, ends included; null for an open end. ISO 8601 UTC. */
export interface SearchInterval {
  readonly start: string | null;
  readonly end: string | null;
}

/** A property to order by: `id`, `collection`, `version`, or a name in the Item's `properties`. */
export interface SortKey {
  readonly property: string;
  readonly direction: 'asc' | 'desc';
}

/** What holds of an Item that is found: every condition that is given. Empty lists of ids find nothing. */
export interface SearchConditions {
  /** Ids of the Collections that hold the Items; unknown ones hold none. */
  readonly collections?: readonly string[];
  readonly ids?: readonly string[];
  /** The Item's geometry touches this box; heights are not looked at, since Items have none. */
  readonly bbox?: SearchBox;
  /** The Item's geometry touches this one; planar, in degrees, as RFC 7946 takes edges. What a filter may hold, as `parseGeometry` reads it. */
  readonly intersects?: Cql2Geometry;
  /** The Item's time from `start_datetime` to `end_datetime`, or its `datetime` where it has none of them, touches this span. */
  readonly interval?: SearchInterval;
  /**
   * True of the Item: `id`, `collection`, `geometry`, `version` as the text that is sent, and `datetime`, `start_datetime`, `end_datetime`
   * as instants to the millisecond; any other name is one of its `properties`, null where it has none of this name.
   */
  readonly filter?: Cql2Expression;
}

/** A search for a page of Items. */
export interface SearchRequest extends SearchConditions {
  /**
   * The latest `start_datetime` first where nothing is given. An absent value is less than any other, numbers are less than
   * texts, which are ordered by their first 200 letters; what is equal by all keys is ordered by id and Collection, in the direction of the last key.
   */
  readonly sort?: readonly SortKey[];
  /** How many Items at most. */
  readonly limit: number;
  /** How many bytes of text at most, `MAX_PAGE_BYTES` where nothing is given; one Item is given, whatever its size. */
  readonly maxBytes?: number;
  /** `ItemPage.next` of the page before, with the same `sort`. */
  readonly cursor?: string;
  /** Whether to count all Items that are found. */
  readonly withMatched?: boolean;
  /** Up to which number they are counted, `MAX_COUNTED_ITEMS` where nothing is given: counting a million takes longer than any page. */
  readonly mostMatched?: number;
  /**
   * They are counted only where their ids and Collections alone leave no more Items than this to look at: what that costs is bounded,
   * whatever the other conditions are. A first page that holds all tells their number in any case.
   */
  readonly maxScannedItems?: number;
}

/** A page of Items, in the order of the request. */
export interface ItemPage {
  readonly items: readonly StoredItemText[];
  /** Leads to the page that follows; absent after the last Item. */
  readonly next?: string;
  /** How many Items there are on all pages, where it was asked, is within `mostMatched` and `maxScannedItems`, and did not take a store too long. */
  readonly matched?: number;
}

/** A Collection of the listing. */
export interface ListedCollection extends CollectionRecord {
  /** What STAC clients tell Collections apart by. */
  readonly id: string;
  /** How many Items are right in it. */
  readonly itemCount: number;
}

/** A search for a page of Collections; by path, ascending. */
export interface CollectionRequest {
  /** Only those right below this path; '' for the level of states. */
  readonly parent?: string;
  /** Only those that hold Items themselves. */
  readonly holdsItems?: boolean;
  readonly ids?: readonly string[];
  /** The Collection's extent touches this box. */
  readonly bbox?: SearchBox;
  /** The Collection's extent in time touches this span. */
  readonly interval?: SearchInterval;
  /** Texts each of which its id or path contains, whatever their case. */
  readonly words?: readonly string[];
  readonly limit: number;
  /** `CollectionPage.next` of the page before. */
  readonly cursor?: string;
}

/** A page of Collections. */
export interface CollectionPage {
  readonly collections: readonly ListedCollection[];
  readonly next?: string;
  /** How many Collections there are on all pages. */
  readonly matched: number;
}

/** Kinds of values that can be compared; lists and objects are of none. */
export type PropertyType = 'string' | 'number' | 'integer' | 'boolean';

/** A property that Items have. */
export interface ItemProperty {
  readonly name: string;
  /** Of the values that it has, ascending and each once: `number` where one of the numbers is no whole one. */
  readonly types: readonly PropertyType[];
  /** Whether each of its values is a text that tells an instant, as RFC 3339 writes it. */
  readonly isInstant: boolean;
}

/** Which texts are written: those of Items that have none, or also those that are kept in another form. */
export type TextsToWrite = 'missing' | 'others';

/** Searches of what is published, in its present version only. Cursors and conditions that make no sense are `validation` errors. */
export interface ItemSearch {
  /** Items whose texts are sent as they are. Throws `took_too_long` where a store ends searches after a time. */
  search(request: SearchRequest, form: ItemForm): Promise<ItemPage>;
  /** The Item that has this name, or that had it formerly; undefined where the Collection is none, too. */
  item(name: ItemName, form: ItemForm): Promise<StoredItemText | undefined>;
  /** The same by its place in the catalogue. */
  itemAt(key: ItemKey, form: ItemForm): Promise<StoredItemText | undefined>;
  /** What the newest Items of a Collection, `most` at most, have in `properties` that can be compared; by name, ascending. */
  properties(collectionId: string, most: number): Promise<readonly ItemProperty[]>;
  collections(request: CollectionRequest): Promise<CollectionPage>;
  /** Path of the Collection of this id, at any level; undefined where nothing is published below it. */
  pathOf(collectionId: string): Promise<string | undefined>;
  /** How many texts are not kept in this form. */
  unwritten(form: ItemForm): Promise<number>;
  /** Writes texts of Items in this form, `most` at most; all that are not kept in it where nothing else is said. Returns how many it wrote. */
  write(form: ItemForm, most: number, which?: TextsToWrite): Promise<number>;
}
