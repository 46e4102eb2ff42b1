import {
  collectionOf,
  type ComputedPlace,
  type Deliverable,
  layerNamesOf,
  type NewItem,
  type NewLayer,
  type PipelinePorts,
  type PublishedTable,
  type StoredFile,
} from '@headwater/core';
import type { ItemInput, RasterItem, VectorItem } from '@headwater/stac';
import type { StyleFiles } from './layer-files.ts';
import type { RunFiles } from '../run/work.ts';

/** Names of a layer on the map server, and data that are published with the layer. */
export interface LayerPlacement {
  readonly workspace: string;
  /** Name in the directory of datasets. */
  readonly dataset: string;
  /** Returns the name of the map-server layer for a place. */
  readonly layerName: (place: string) => string;
  /** Sheets that the Item of the layer describes. */
  readonly tables?: readonly Sheet[];
  readonly formerly?: NewItem['formerly'];
  readonly sameContentAs?: NewItem['sameContentAs'];
}

/** A sheet that is published with a layer. The sheet belongs to the layer's tehsil; the layer's Item describes the sheet. */
export type Sheet = Omit<PublishedTable, 'tehsilId' | 'itemId' | 'earlierItem'>;

/** A layer of a place to publish. */
export interface LayerDraft extends LayerPlacement {
  /** All members of the Item except extent, content and assets, which are made from the written files. */
  readonly members: Omit<ItemInput, 'geometry'>;
}

/** Dependencies of publishing a layer of a run. */
export interface LayerTools {
  readonly job: Pick<ComputedPlace, 'place' | 'region' | 'slugs' | 'clip' | 'box'>;
  readonly ports: Pick<PipelinePorts, 'addresses'> & {
    readonly pixels: Pick<PipelinePorts['pixels'], 'thumbnail' | 'zoneThumbnail'>;
  };
  readonly files: Pick<RunFiles, 'path' | 'write' | 'stat'>;
}

/** Items, layers, tables and series that a run, or one layer of a run, publishes. */
export interface RunOutput extends Pick<Deliverable, 'items' | 'layers' | 'tables' | 'series'> {
  /** False if inputs were missing. Such a result is not reused for later requests. Default: true. */
  readonly isWhole?: boolean;
}

/** Joins several outputs to one output. `isWhole` of the joined output is false if `isWhole` of any output is false. */
export function joinOutputs(parts: readonly RunOutput[]): RunOutput {
  const series = parts.flatMap((part) => part.series ?? []);
  return {
    items: parts.flatMap(({ items }) => items),
    layers: parts.flatMap(({ layers }) => layers),
    tables: parts.flatMap(({ tables = [] }) => tables),
    ...(series.length > 0 && { series }),
    ...(parts.some(({ isWhole }) => isWhole === false) && { isWhole: false }),
  };
}

/** The written files of a layer, and the layer's Item. */
interface Written {
  readonly item: RasterItem | VectorItem;
  readonly layerType: NewLayer['layerType'];
  readonly file: StoredFile;
  readonly styles: StyleFiles | undefined;
}

/**
 * Builds the Item to store, the layer's record and its sheets. The Item is not validated here, because the builder of the
 * Item has already validated it.
 */
export function layerOutput(
  { workspace, dataset, layerName, tables = [], formerly, sameContentAs }: LayerPlacement,
  { item, layerType, file, styles }: Written,
  { slugs, place }: LayerTools['job'],
): RunOutput {
  const of = { tehsilId: place.tehsil.id, itemId: item.id };
  const replaced = { ...(formerly && { formerly }), ...(sameContentAs !== undefined && { sameContentAs }) };
  const record = { layerType, assetKey: file.key, styleKey: styles?.qml.key ?? null };
  return {
    items: [{ id: item.id, collectionPath: collectionOf(slugs), item: { ...item }, ...replaced }],
    layers: [{ workspace, ...layerNamesOf(slugs, layerName), datasetName: dataset, ...of, ...record }],
    tables: tables.map((table) => ({ ...table, ...of })),
  };
}
