import type { Extent, Members } from '@headwater/stac';

/** Identity of an Item: its id is unique only within its Collection. */
export interface ItemKey {
  readonly id: string;
  /** Collection id path: state/district/block slugs. */
  readonly collectionPath: string;
}

/** A version of an Item, without its content. */
export interface ItemVersion extends ItemKey {
  readonly version: number;
  /** The run that published it. */
  readonly runId: string;
}

/** A published Item with all that is needed to serve it. */
export interface PublishedItem extends ItemVersion {
  /** The STAC Item. Hrefs relative to the public base URL are kept as the pipeline wrote them. */
  readonly item: Readonly<Record<string, unknown>>;
}

/** An Item as one run published it. */
export interface RunItem extends PublishedItem {
  /** True once a later run published the Item again: this is then the run's own version, not the present one. */
  readonly replaced: boolean;
}

/** A record of the generated-layer listing. A layer name belongs to one tehsil for good. */
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

/** An Item without its content, with the title that links to it show; null if it has none. */
export interface TitledItem extends ItemVersion {
  readonly title: string | null;
}

/** A layer with the times of its Item. */
export interface DatedLayer extends LayerRecord {
  /** ISO 8601 UTC. Both are the same if the Item has no interval, null if the Item is missing or has no time. */
  readonly start: string | null;
  readonly end: string | null;
}

/** An Item to publish. */
export interface NewItem extends Omit<PublishedItem, 'version' | 'runId'> {
  /** Names that it may have been published under. An Item found there moves to the new name, and the old names still work. */
  readonly formerly?: readonly ItemKey[];
  /**
   * Id of a run whose Item of this name this one replaces with the same content from the same files, such as a summary computed again from
   * that run's rasters. The stored result of that run, and its tables that this Item describes, then stay valid.
   */
  readonly sameContentAs?: string;
}

/** A layer to publish. */
export interface NewLayer extends Omit<LayerRecord, 'version'> {
  /** Former names in its workspace. Those that belong to its tehsil still work and return the new file. */
  readonly formerly?: readonly string[];
}

/** The file that a run published for a layer. */
export type LayerFile = Pick<LayerRecord, 'layerType' | 'assetKey'>;

/** A Collection of any level, derived from its children and Items. */
export interface CollectionRecord {
  /** Slugs joined by '/'; '' is the root above all states. */
  readonly path: string;
  /** Extent of every Item below; null for the root, and if no Item has a box and times. */
  readonly extent: Extent | null;
  /** Members that every Item below shares, and members that differ; empty for the root. */
  readonly members: Members;
  /** Paths of the next level, ascending. */
  readonly children: readonly string[];
}

/** A tehsil with published Items, for maps and lists of places. */
export interface PublishedTehsil {
  /** Its Collection: `state/district/block`. */
  readonly path: string;
  /** Number of its Items. */
  readonly items: number;
  /** Extent of its Items, degrees; null if none has a box. */
  readonly box: readonly [west: number, south: number, east: number, north: number] | null;
}

/** A page of the newest publications. */
export interface NewestPage {
  readonly runs: number;
  readonly before?: string;
  readonly of?: 'tehsils' | 'regions';
}

/** Reads of published Items and layers. */
export interface CatalogStore {
  /** The Item with this present or former name. */
  item(collectionPath: string, id: string): Promise<PublishedItem | undefined>;
  /** Items that a run published, in its order, each as that run wrote it. */
  itemsOfRun(runId: string): Promise<readonly RunItem[]>;
  itemsOf(collectionPath: string): Promise<readonly PublishedItem[]>;
  /** Ids of the Items of a Collection with this text in this property, ascending. No Item is loaded. */
  itemsWith(collectionPath: string, property: string, text: string): Promise<readonly string[]>;
  /**
   * Items of a Collection with titles and without content: those without a start first, then the latest start first, then by id descending.
   */
  listOf(
    collectionPath: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly TitledItem[]>;
  /**
   * Items that the newest `runs` runs published and that are still shown, without content: newest run first (ids grow with time), a run's
   * Items in its order. `before`: only runs with a lower id, for the next page. `of`: Items of tehsils (the default), or those of regions.
   */
  newest(page: NewestPage): Promise<readonly ItemVersion[]>;
  /** Distinct collection paths (`state/district/block`) that hold Items, ascending; only the first `most` if it is set. */
  collections(most?: number): Promise<readonly string[]>;
  /** The tehsils with Items, regions left out, ascending by path. No Item is read. */
  publishedTehsils(): Promise<readonly PublishedTehsil[]>;
  /** A Collection of any level ('' = root) without reading an Item; undefined if nothing is published below it. */
  collection(path: string): Promise<CollectionRecord | undefined>;
  /** The layer with this present or former name. */
  layer(workspace: string, layerName: string): Promise<LayerRecord | undefined>;
  /** The file that this run published for a layer (present or former name), even if a later run has replaced it. */
  layerOfRun(runId: string, workspace: string, layerName: string): Promise<LayerFile | undefined>;
  /** Layers of a tehsil, each under its present name only. */
  layersOf(tehsilId: number): Promise<readonly DatedLayer[]>;
  /** Text that stays the same until one of these layers is published again or another one is published. No record is read. */
  layersVersionOf(tehsilId: number): Promise<string>;
}
