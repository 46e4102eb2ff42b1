import type { AssetFile } from './assets.ts';
import type { CatalogStore, LayerRecord, RunItem } from './catalog.ts';
import type { DataStore } from './tables.ts';

/** What pipelines may read of what runs published: nothing of it can be changed. */
export interface PublishedReads
  extends Omit<DataStore, 'tehsilsWithTables' | 'hasData'>, Pick<CatalogStore, 'item' | 'layer' | 'layersOf'> {}

/** A published layer, opened. */
export interface OpenedLayer {
  readonly layer: LayerRecord;
  /** The run that published this version; its files stay for a day at least, so that whoever opened it may read to the end. */
  readonly runId: string;
  /** Absolute path of the GeoJSON or the COG on this machine; read, never written. */
  readonly path: string;
  /** The same, to be read as a stream. */
  readonly file: AssetFile;
  /** The Item of this version; undefined where its run published none of the layer's id. */
  readonly item: RunItem | undefined;
}

/** What a pipeline at work reads of what was published before. */
export interface PublishedLayers extends PublishedReads {
  /** Opens the newest version of a layer. Throws `missing_layer` where it is not published (any more). */
  layerFile(workspace: string, layerName: string): Promise<OpenedLayer>;
}
