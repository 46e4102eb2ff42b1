import type { Extent, Members } from '@headwater/stac';

/** Identity of an Item. An id is unique only within its Collection. */
export interface ItemKey {
  readonly id: string;
  /** Path of the Item's Collection: slugs of state, district and block, joined by '/'. */
  readonly collectionPath: string;
}

/** A version of an Item, without its content. */
export interface ItemVersion extends ItemKey {
  readonly version: number;
  /** The run that published this version. */
  readonly runId: string;
}

/** A published Item with the data that a response needs. */
export interface PublishedItem extends ItemVersion {
  /** The STAC Item with the hrefs of the pipeline, which may be relative to the public base URL. */
  readonly item: Readonly<Record<string, unknown>>;
}

/** A version of an Item as one run published it. */
export interface RunItem extends PublishedItem {
  /** True if a later run has published the Item again. */
  readonly replaced: boolean;
}

/** A published layer. A later publication of a layer with this name must be of the same tehsil. */
export interface LayerRecord {
  readonly workspace: string;
  readonly layerName: string;
  readonly datasetName: string;
  readonly layerType: 'vector' | 'raster';
  readonly tehsilId: number;
  readonly itemId: string;
  /** `AssetStore` key of the GeoJSON or the COG that the map server returns. */
  readonly assetKey: string;
  readonly styleKey: string | null;
  readonly version: number;
}

/** An Item without its content; `title` is the text of links to the Item. */
export interface TitledItem extends ItemVersion {
  readonly title: string | null;
}

/** A layer with the times of its Item and the shape of its features. */
export interface DatedLayer extends LayerRecord {
  /** Start and end of the Item's period, ISO 8601 UTC. Both are equal for a single time, and null without a time. */
  readonly start: string | null;
  readonly end: string | null;
  /** The Item's property `headwater:feature_shape`, e.g. `point`. */
  readonly shape: string | null;
}

/** An Item to publish. */
export interface NewItem extends Omit<PublishedItem, 'version' | 'runId'> {
  /** Possible former names. A stored Item with a former name is moved to the new name, and is found by both names. */
  readonly formerly?: readonly ItemKey[];
  /**
   * Id of an earlier run whose Item has the name, content and source files of this Item. That run's stored result then
   * stays valid.
   */
  readonly sameContentAs?: string;
}

/** A layer to publish. */
export interface NewLayer extends Omit<LayerRecord, 'version'> {
  /**
   * Former names of the layer in its workspace. If a stored layer with a former name is of the same tehsil, requests
   * with the former name get the new file too.
   */
  readonly formerly?: readonly string[];
}

/** The file that a run published for a layer. */
export type LayerFile = Pick<LayerRecord, 'layerType' | 'assetKey'>;

/** A Collection of any level, derived from the Collections and Items below it. */
export interface CollectionRecord {
  /** Slugs joined by '/'; '' is the root above all states. */
  readonly path: string;
  /** Extent of every Item below; null for the root, and if no Item has a box and times. */
  readonly extent: Extent | null;
  /** Values of properties and of asset fields of the Items below; empty for the root. */
  readonly members: Members;
  /** Paths of the next level, ascending. */
  readonly children: readonly string[];
}

/** A tehsil with published Items, for maps and lists of places. */
export interface PublishedTehsil {
  /** Path of the tehsil's Collection: `state/district/block`. */
  readonly path: string;
  readonly items: number;
  /** Extent of its Items, degrees; null if none has a box. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
}

/** A region with published Items. */
export interface ListedRegion {
  /** Path of the region's Collection: `regions/custom/region_…`. */
  readonly path: string;
  readonly items: number;
  /** Extent of its Items, degrees; null if none has a box. */
  readonly box: PublishedTehsil['box'];
  /** Time of its newest publication, ISO 8601 UTC. */
  readonly publishedAt: string;
}

/** A page of the newest publications. */
export interface NewestPage {
  readonly runs: number;
  readonly before?: string;
  readonly of?: 'tehsils' | 'regions';
}

/** Publications that are removed together with an Item; names are ascending. */
export interface Publications {
  /** Present and former names of the Item's layers, `workspace:name`. */
  readonly layers: readonly string[];
  readonly tables: readonly string[];
  readonly series: readonly string[];
}

/** Removed publications, and the attempts without current results, whose folders are no longer needed. */
export interface Unpublished extends Publications {
  readonly item: ItemKey;
  readonly attempts: readonly { readonly id: string; readonly token: number }[];
}

/** Read access to published Items and layers. */
export interface CatalogStore {
  /** Returns the Item with this present or former name. */
  item(collectionPath: string, id: string): Promise<PublishedItem | undefined>;
  /** Returns the Items that a run published, in the order and with the content of that run. */
  itemsOfRun(runId: string): Promise<readonly RunItem[]>;
  itemsOf(collectionPath: string): Promise<readonly PublishedItem[]>;
  /**
   * Returns the Items of a Collection without content. Items without a start come first; then the latest start first;
   * equal starts by id, descending.
   */
  listOf(
    collectionPath: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly TitledItem[]>;
  /**
   * Returns the current Items of the newest `runs` runs, newest run first. With `before`, only runs with lower ids.
   * `of` selects Items of tehsils (default) or of regions.
   */
  newest(page: NewestPage): Promise<readonly ItemVersion[]>;
  /** Returns the paths (`state/district/block`) of Collections with Items, ascending, at most `most`. */
  collections(most?: number): Promise<readonly string[]>;
  /** Returns the tehsils with Items, ascending by path, without reading Items. */
  publishedTehsils(): Promise<readonly PublishedTehsil[]>;
  /**
   * Returns a page of the regions whose path contains `text`, newest publication first. `total` is the number of all
   * these regions.
   */
  listRegions(page: {
    readonly text: string;
    readonly limit: number;
    readonly offset: number;
  }): Promise<{ readonly regions: readonly ListedRegion[]; readonly total: number }>;
  /** Returns a Collection of any level ('' = root) without reading Items; undefined if nothing is below it. */
  collection(path: string): Promise<CollectionRecord | undefined>;
  /** Returns the layer with this present or former name. */
  layer(workspace: string, layerName: string): Promise<LayerRecord | undefined>;
  /** Returns the file that this run published for a layer (present or former name), even if replaced later. */
  layerOfRun(runId: string, workspace: string, layerName: string): Promise<LayerFile | undefined>;
  /** Returns the layers of a tehsil with their present names; optionally of one workspace. */
  layersOf(tehsilId: number, workspace?: string): Promise<readonly DatedLayer[]>;
  /** Returns a text that changes when a layer of a tehsil is published or unpublished, without reading layers. */
  layersVersionOf(tehsilId: number): Promise<string>;
}
