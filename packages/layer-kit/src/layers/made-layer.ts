import {
  collectionOf,
  type ComputedPlace,
  layerNamesOf,
  type NewItem,
  type NewLayer,
  type PipelinePorts,
  type StoredFile,
} from '@headwater/core';
import type { ItemInput, RasterItem, VectorItem } from '@headwater/stac';
import type { StyleFiles } from './layer-files.ts';
import type { RunFiles } from '../run/run-files.ts';

/** A layer of a place that is to be published: what its Item tells, and where it stands at the map server. */
export interface LayerDraft {
  /** All of the Item but extent, content and assets, which follow from what is written. */
  readonly members: Omit<ItemInput, 'geometry'>;
  readonly workspace: string;
  /** As the directory of datasets names it. */
  readonly dataset: string;
  /** Name of the map-server layer of a place. */
  readonly layerName: (place: string) => string;
}

/** What publishing a layer of a run uses. */
export interface LayerTools {
  readonly job: Pick<ComputedPlace, 'place' | 'region' | 'slugs' | 'clip' | 'box'>;
  readonly ports: Pick<PipelinePorts, 'addresses'> & {
    readonly pixels: Pick<PipelinePorts['pixels'], 'thumbnail' | 'zoneThumbnail'>;
  };
  readonly files: Pick<RunFiles, 'path' | 'write' | 'stat'>;
}

/** A layer with the Item that tells of it. */
export interface MadeLayer {
  readonly item: NewItem;
  readonly layer: NewLayer;
}

/** What was made of a draft. */
interface Made {
  readonly item: RasterItem | VectorItem;
  readonly layerType: NewLayer['layerType'];
  readonly file: StoredFile;
  readonly styles: StyleFiles;
}

/** The Item as it is stored, and its layer's record. Its builder has thrown for every fault of it. */
export function madeLayer(
  { workspace, dataset, layerName }: LayerDraft,
  { item, layerType, file, styles }: Made,
  { slugs, place }: LayerTools['job'],
): MadeLayer {
  return {
    item: { id: item.id, collectionPath: collectionOf(slugs), item: { ...item } },
    layer: {
      workspace,
      ...layerNamesOf(slugs, layerName),
      datasetName: dataset,
      layerType,
      tehsilId: place.tehsil.id,
      itemId: item.id,
      assetKey: file.key,
      styleKey: styles.qml.key,
    },
  };
}
