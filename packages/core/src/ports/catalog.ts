import type { Extent, Members } from '@headwater/stac';

/** Identity of an Item: its id is unique within its Collection only. */
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

/** A published Item with what serving it needs. */
export interface PublishedItem extends ItemVersion {
  /** The STAC Item, with hrefs relative to the public base URL left as written by the pipeline. */
  readonly item: Readonly<Record<string, unknown>>;
}

/** An Item as one run published it. */
export interface RunItem extends PublishedItem {
  /** True once a later run published the Item anew: this is then the run's own version, not the present one. */
  readonly replaced: boolean;
}

/** A record of the generated-layer listing; a name belongs to one tehsil for good. */
export interface LayerRecord {
  readonly workspace: string;
  readonly layerName: string;
  readonly datasetName: string;
  readonly layerType: 'vector' | 'raster';
  readonly tehsilId: number;
  readonly itemId: string;
  /** `AssetStore` key of the GeoJSON or the COG that the map server answers with. */
  readonly assetKey: string;
  readonly styleKey: string | null;
  readonly version: number;
}

/** An Item without its content, but for the title that links to it show; null where it has none. */
export interface TitledItem extends ItemVersion {
  readonly title: string | null;
}

/** A layer with the times of its Item. */
export interface DatedLayer extends LayerRecord {
  /** ISO 8601 UTC; both the same where the Item has no interval, null where it is not there or has no time. */
  readonly start: string | null;
  readonly end: string | null;
}

/** An Item to publish. */
export interface NewItem extends Omit<PublishedItem, 'version' | 'runId'> {
  /** Names that it may have been published under: what is there moves here, and the names keep answering. */
  readonly formerly?: readonly ItemKey[];
  /**
   * A run whose Item of this name it replaces by one that says the same of the same files, as a summary made again of that run's rasters
   * does: the stored result of that run goes on answering. So does a table that this Item describes for one of that run.
   */
  readonly sameContentAs?: string;
}

/** A layer to publish. */
export interface NewLayer extends Omit<LayerRecord, 'version'> {
  /** Names that it may have had in its workspace: those of its tehsil keep answering, with the new file. */
  readonly formerly?: readonly string[];
}

/** The file that one run published for a layer. */
export type LayerFile = Pick<LayerRecord, 'layerType' | 'assetKey'>;

/** A Collection of any level as what lies below it makes it. */
export interface CollectionRecord {
  /** Slugs joined by '/'; '' is the root above all states. */
  readonly path: string;
  /** Of every Item below; null where no Item has a box and times, and for the root. */
  readonly extent: Extent | null;
  /** What every Item below has in common and what differs; nothing for the root. */
  readonly members: Members;
  /** Paths of the next level, ascending. */
  readonly children: readonly string[];
}

/** Reads of what runs published. */
export interface CatalogStore {
  /** The Item that has this name, or that had it formerly. */
  item(collectionPath: string, id: string): Promise<PublishedItem | undefined>;
  /** What a run published, in its order, each as that run made it. */
  itemsOfRun(runId: string): Promise<readonly RunItem[]>;
  itemsOf(collectionPath: string): Promise<readonly PublishedItem[]>;
  /** Ids of the Items of a Collection one property of which is this text, ascending; no Item is read out of the store. */
  itemsWith(collectionPath: string, property: string, text: string): Promise<readonly string[]>;
  /** Items of a Collection without their content but with their titles, the latest start first (those without one before them), then by id descending. */
  listOf(
    collectionPath: string,
    page: { readonly limit: number; readonly offset: number },
  ): Promise<readonly TitledItem[]>;
  /**
   * What the newest `runs` runs (by id, which grows with time) still show, without content: newest run first, a run's Items in its
   * order. `before`: only runs whose id is less, for the next page.
   */
  newest(page: { readonly runs: number; readonly before?: string }): Promise<readonly ItemVersion[]>;
  /** Distinct collection paths (`state/district/block`) that hold Items, ascending; the first `most` where that is given. */
  collections(most?: number): Promise<readonly string[]>;
  /** A Collection of any level ('' = root) without reading an Item; undefined where nothing is published below it. */
  collection(path: string): Promise<CollectionRecord | undefined>;
  /** The layer of this name, present or former. */
  layer(workspace: string, layerName: string): Promise<LayerRecord | undefined>;
  /** The file that this run published for a layer (present or former name), whether or not a later run has replaced it since. */
  layerOfRun(runId: string, workspace: string, layerName: string): Promise<LayerFile | undefined>;
  /** Layers of a tehsil, each under its present name only. */
  layersOf(tehsilId: number): Promise<readonly DatedLayer[]>;
  /** A text that stays the same until one of these layers is published again or another one is; no record is read. */
  layersVersionOf(tehsilId: number): Promise<string>;
}
