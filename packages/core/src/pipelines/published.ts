import { DomainError } from '../errors.ts';
import type { AssetStore } from '../ports/assets.ts';
import type { OpenedLayer, PublishedLayers, PublishedReads } from '../ports/published.ts';
import type { DomainStores } from '../ports/stores.ts';
import { notPublished } from './needs.ts';

type Shelves = Pick<DomainStores, 'catalog' | 'data'>;

/** Looks at a layer this often: a later run may replace it between the look and the opening. */
const TRIES = 3;

/** What runs published, to be read only. */
export function createPublishedReads({ catalog, data }: Shelves): PublishedReads {
  return {
    item: (path, id) => catalog.item(path, id),
    layer: (workspace, layerName) => catalog.layer(workspace, layerName),
    layersOf: (tehsilId) => catalog.layersOf(tehsilId),
    tablesOf: (tehsilId) => data.tablesOf(tehsilId),
    tableVersionsOf: (tehsilId) => data.tableVersionsOf(tehsilId),
    tablesOfRun: (runId) => data.tablesOfRun(runId),
    tableHead: (tehsilId, name) => data.tableHead(tehsilId, name),
    table: (tehsilId, name) => data.table(tehsilId, name),
    rowOf: (tehsilId, name, key) => data.rowOf(tehsilId, name, key),
    rowsOf: (tehsilId, names, key) => data.rowsOf(tehsilId, names, key),
    seriesOf: (tehsilId, uid) => data.seriesOf(tehsilId, uid),
  };
}

/** The same with the files of layers. */
export function createPublishedLayers(shelves: Shelves, assets: AssetStore): PublishedLayers {
  return {
    ...createPublishedReads(shelves),
    layerFile: async (workspace, layerName) => {
      const name = `layer ${workspace}:${layerName}`;
      for (let tries = 1; tries <= TRIES; tries += 1) {
        const layer = await shelves.catalog.layer(workspace, layerName);
        if (layer === undefined) throw notPublished(name);
        const opened = await opening(shelves, assets, layer);
        if (opened !== undefined) return opened;
      }
      throw new DomainError('missing_layer', `The file of ${name} is gone; make the layer again.`);
    },
  };
}

async function opening(
  { catalog }: Shelves,
  assets: AssetStore,
  layer: OpenedLayer['layer'],
): Promise<OpenedLayer | undefined> {
  if (assets.localPath === undefined) {
    throw new DomainError(
      'internal',
      'The asset store has no files on this machine, which pipelines that read layers need.',
    );
  }
  const [file, path] = [await assets.open(layer.assetKey), await assets.localPath(layer.assetKey)];
  if (file === undefined || path === undefined) return undefined;
  const [runId = ''] = layer.assetKey.split('/');
  const item = (await catalog.itemsOfRun(runId)).find(({ id }) => id === layer.itemId);
  return { layer, runId, path, file, item };
}
