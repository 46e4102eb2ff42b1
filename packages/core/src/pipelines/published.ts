import { DomainError } from '../errors.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { OpenedLayer, PublishedLayers, PublishedReads } from '../ports/published.ts';
import type { DomainStores } from '../ports/stores.ts';
import { notPublished } from './needs.ts';

type PublicationStores = Pick<DomainStores, 'catalog' | 'data'>;

/** Maximum number of attempts to open a layer. A run may replace the layer before its file is opened. */
const TRIES = 3;

/** Builds read access to published data. */
export function createPublishedReads({ catalog, data }: PublicationStores): PublishedReads {
  return {
    item: (path, id) => catalog.item(path, id),
    layer: (workspace, layerName) => catalog.layer(workspace, layerName),
    layersOf: (tehsilId) => catalog.layersOf(tehsilId),
    tablesOf: (tehsilId) => data.tablesOf(tehsilId),
    tableVersionsOf: (tehsilId) => data.tableVersionsOf(tehsilId),
    tablesOfRun: (runId) => data.tablesOfRun(runId),
    tableHead: (tehsilId, name) => data.tableHead(tehsilId, name),
    table: (tehsilId, name) => data.table(tehsilId, name),
    cellTables: (tehsilId, names) => data.cellTables(tehsilId, names),
    rowOf: (tehsilId, name, key) => data.rowOf(tehsilId, name, key),
    rowsOf: (tehsilId, names, key) => data.rowsOf(tehsilId, names, key),
    seriesOf: (tehsilId, uid) => data.seriesOf(tehsilId, uid),
  };
}

/** Builds read access to published data, including the files of layers. */
export function createPublishedLayers(stores: PublicationStores, assets: AssetStore): PublishedLayers {
  return {
    ...createPublishedReads(stores),
    layerFile: async (workspace, layerName) => {
      const name = `layer ${workspace}:${layerName}`;
      for (let tries = 1; tries <= TRIES; tries += 1) {
        const layer = await stores.catalog.layer(workspace, layerName);
        if (layer === undefined) throw notPublished(name);
        const opened = await opening(stores, assets, layer);
        if (opened !== undefined) return opened;
      }
      throw new DomainError('missing_layer', `The file of ${name} is missing; compute the layer again.`);
    },
  };
}

async function opening(
  { catalog }: PublicationStores,
  assets: AssetStore,
  layer: OpenedLayer['layer'],
): Promise<OpenedLayer | undefined> {
  const pathOf = assets.localCopy ?? assets.localPath;
  if (pathOf === undefined) {
    throw new DomainError(
      'internal',
      'The pipeline reads files of published layers, but the asset store has neither localPath nor localCopy; implement one of them.',
    );
  }
  const [file, path] = [await assets.open(layer.assetKey), await pathOf(layer.assetKey)];
  if (file === undefined || path === undefined) return undefined;
  const [runId = ''] = layer.assetKey.split('/');
  const item = (await catalog.itemsOfRun(runId)).find(({ id }) => id === layer.itemId);
  return { layer, runId, path, file, item };
}
