import type { AssetFile } from './assets.ts';
import type { CatalogStore, LayerRecord, RunItem } from './catalog.ts';
import type { DataStore } from './tables.ts';

/** Read access of pipelines to published data. */
export interface PublishedReads
  extends Omit<DataStore, 'tehsilsWithTables' | 'hasData'>, Pick<CatalogStore, 'item' | 'layer' | 'layersOf'> {}

/** A published layer whose file is open. */
export interface OpenedLayer {
  readonly layer: LayerRecord;
  /**
   * The run that published this version. After a newer version replaces this version, the files of the run stay for
   * at least `WorkerSettings.keepReplacedMs` (default: a day).
   */
  readonly runId: string;
  /** Absolute path of the GeoJSON or the COG on this machine; read-only. */
  readonly path: string;
  /** The file as a stream. */
  readonly file: AssetFile;
  /** The Item of this version; undefined if the run published no Item with the layer's id. */
  readonly item: RunItem | undefined;
}

/** Read access of a running pipeline to data that earlier runs published. */
export interface PublishedLayers extends PublishedReads {
  /** Opens the newest version of a layer. Throws `missing_layer` if the layer is not published. */
  layerFile(workspace: string, layerName: string): Promise<OpenedLayer>;
}
