import type { LayerFile, LayerRecord, PublishedItem } from '../ports/catalog.ts';
import type { ItemForm } from '../ports/item-search.ts';

/** A published Item and its place in its run's result. */
export interface ItemRow {
  readonly item: PublishedItem;
  readonly position: number;
  /** As `NewItem.sameContentAs`, where it did replace an Item of that run. */
  readonly sameContentAs?: string | undefined;
  /** When it was published or changed last, ISO 8601 UTC. */
  readonly updated: string;
}

/** The texts of Items: those that are kept in a form, and others as they are asked for. */
export interface ItemTexts {
  readonly of: (row: ItemRow, form: ItemForm) => string;
  readonly has: (row: ItemRow, form: ItemForm) => boolean;
  /** Whether a text is kept in any form. */
  readonly hasAny: (row: ItemRow) => boolean;
  readonly keep: (row: ItemRow, form: ItemForm) => void;
}

/** A layer under one of its names. */
export interface LayerRow {
  readonly layer: LayerRecord;
  /** True for a name that its tehsil's layer has no more; it still answers. */
  readonly isFormer: boolean;
  /** The run that published it last. */
  readonly runId: string;
}

/** What runs published, as tables; keys are made by `keyOf`. */
export interface CatalogTables {
  readonly items: Map<string, ItemRow>;
  /** Items as their runs made them, once later runs replaced them. */
  readonly replaced: ItemRow[];
  /** Former name of an Item -> present one. */
  readonly aliases: Map<string, string>;
  readonly layers: Map<string, LayerRow>;
  /** How often layers of a tehsil were put. */
  readonly layerChanges: Map<number, number>;
  /** What each run published for a layer: by run, workspace and name. */
  readonly files: Map<string, LayerFile>;
  /** Id of a Collection -> its path. */
  readonly collections: Map<string, string>;
  readonly texts: ItemTexts;
}

/** The run in a key of `files`. */
export function runOfFile(key: string): unknown {
  const parts: unknown = JSON.parse(key);
  return Array.isArray(parts) ? parts[0] : undefined;
}

/** One text for several: no two lists of texts have the same. */
export function keyOf(...parts: readonly string[]): string {
  return JSON.stringify(parts);
}
