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

/** Names of a layer, and the data published with it. */
export interface LayerPlacement {
  readonly workspace: string;
  /** Name in the directory of datasets. */
  readonly dataset: string;
  /** Returns the name of the map-server layer for a place. */
  readonly layerName: (place: string) => string;
  /** Sheets of the layer, described by its Item. */
  readonly tables?: readonly Sheet[];
  readonly formerly?: NewItem['formerly'];
  readonly sameContentAs?: NewItem['sameContentAs'];
}

/** A sheet of the layer's tehsil, described by the layer's Item. */
export type Sheet = Omit<PublishedTable, 'tehsilId' | 'itemId' | 'earlierItem'>;

/** A layer of a place to publish. */
export interface LayerDraft extends LayerPlacement {
  /** All members of the Item except those made from the written files. */
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

/** Results that a run publishes. */
export interface RunOutput extends Pick<Deliverable, 'items' | 'layers' | 'tables' | 'series'> {
  /** False if inputs were missing; the result is then not reused. Default: true. */
  readonly isWhole?: boolean;
}

/** Joins outputs. `isWhole` is false if any output is not whole. */
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

interface Written {
  readonly item: RasterItem | VectorItem;
  readonly layerType: NewLayer['layerType'];
  readonly file: StoredFile;
  readonly styles: StyleFiles | undefined;
}

/** Builds the records of a layer, its Item and its sheets. `item` was validated when it was built. */
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
