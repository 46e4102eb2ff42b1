import type { LayerFile, LayerRecord, PublishedItem } from '../ports/catalog.ts';
import type { ItemForm } from '../ports/item-search.ts';

/** A published Item, and its position in the result of its run. */
export interface ItemRow {
  readonly item: PublishedItem;
  readonly position: number;
  /** Id of the run in `NewItem.sameContentAs`, if this Item replaced an Item of that run. */
  readonly sameContentAs?: string | undefined;
  /** Time of publication or of the last change, ISO 8601 UTC. */
  readonly updated: string;
}

/** Texts of Items for responses. The texts of one `ItemForm` are cached; texts of other forms are built on demand. */
export interface ItemTexts {
  readonly of: (row: ItemRow, form: ItemForm) => string;
  readonly has: (row: ItemRow, form: ItemForm) => boolean;
  readonly hasAny: (row: ItemRow) => boolean;
  readonly cache: (row: ItemRow, form: ItemForm) => void;
}

/** A layer, stored under its present name or under a former name. */
export interface LayerRow {
  readonly layer: LayerRecord;
  readonly isFormer: boolean;
  /** The run that last published the layer. */
  readonly runId: string;
}

/** Published Items and layers as tables, with keys of `keyOf`. */
export interface CatalogTables {
  readonly items: Map<string, ItemRow>;
  /** Versions of Items that later runs replaced. */
  readonly replaced: ItemRow[];
  /** Present names of Items by their former names. */
  readonly aliases: Map<string, string>;
  readonly layers: Map<string, LayerRow>;
  /** Number of changes to the layers of each tehsil, by the tehsil's id. */
  readonly layerChanges: Map<number, number>;
  /** Files of layers by run, workspace and name. */
  readonly files: Map<string, LayerFile>;
  /** Paths of Collections by their ids. */
  readonly collections: Map<string, string>;
  readonly texts: ItemTexts;
}

/** Returns the run in a key of `files`. */
export function runOfFile(key: string): unknown {
  const parts: unknown = JSON.parse(key);
  return Array.isArray(parts) ? parts[0] : undefined;
}

/** Joins texts into one key; different lists of texts have different keys. */
export function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
