import { hash } from 'node:crypto';
import type { AssetStore, LayerRecord, PublishedItem } from '@headwater/core';
import { createByteLimitedCache } from '@headwater/core/caching';
import type { CatalogStore, ListedLayer, MapColumn, MapLayer, MapLayers, OperatorLists } from '@headwater/core/ports';
import { isObject } from '@headwater/core/values';
import { assetsOf, objectsIn, textAt } from '../../layers/read-item.ts';
import { BASE_TOKEN, createAddresses, fileKeyOf } from '../../wire/addresses.ts';
import { geometryNameOf } from './schemas/geometry-layers.ts';
import { WORKSPACES } from './workspaces.ts';

/** Stores from which the layers are read. */
export interface MapLayerSources {
  readonly catalog: Pick<CatalogStore, 'item' | 'itemsOfRun' | 'layer' | 'layerOfRun'>;
  readonly operatorLists: Pick<OperatorLists, 'layer' | 'layers'>;
  readonly assets: Pick<AssetStore, 'open'> | undefined;
  readonly baseUrl: string;
}

const PAGE_SIZE = 500;
/**
 * Size of the cache, for more than ten thousand layers. A cache that is smaller than the list would be useless:
 * lists are read in order, so each layer would be evicted before it is read again.
 */
const CACHED_BYTES = 64 * 2 ** 20;
const [LAYER_BYTES, COLUMN_BYTES] = [1024, 128];

type LayerVersion = Pick<LayerRecord, 'workspace' | 'layerName' | 'layerType' | 'assetKey' | 'version'>;

/** The published layers as a map server reads them. Descriptions are cached by version. */
export function createMapLayers({ catalog, operatorLists, assets, baseUrl }: MapLayerSources): MapLayers {
  const cached = createByteLimitedCache<string, MapLayer | undefined>({
    mostBytes: CACHED_BYTES,
    // An absent layer has an infinite size, so that it is not cached.
    sizeOf: (layer) =>
      layer === undefined ? Infinity : LAYER_BYTES + 2 * layer.abstract.length + COLUMN_BYTES * layer.columns.length,
  });
  const described = async (record: ListedLayer): Promise<MapLayer> => {
    const { collectionPath, itemId } = record;
    const item = collectionPath === null ? undefined : await catalog.item(collectionPath, itemId);
    return layerOf(record, item, { baseUrl, isLasting: false });
  };
  const ofRun = async (runId: string, workspace: string, name: string): Promise<MapLayer | undefined> => {
    const file = await catalog.layerOfRun(runId, workspace, name);
    // Without its file the layer is absent: files of a replaced version are removed after some time.
    if (file === undefined || (await assets?.open(file.assetKey)) === undefined) return undefined;
    const version = { ...file, workspace, layerName: name, version: 0 };
    const make = async (): Promise<MapLayer> => {
      const [items, record] = await Promise.all([catalog.itemsOfRun(runId), catalog.layer(workspace, name)]);
      const item = items.find(({ id }) => id === record?.itemId);
      const newest = item && (await catalog.item(item.collectionPath, item.id));
      const styleKey = styleOfRun(record?.styleKey ?? null, newest?.item, item?.item);
      return layerOf({ ...version, styleKey }, item, { baseUrl, isLasting: true });
    };
    return await cached.of(`${runId}|${keyOf(version)}`, { version: '', make });
  };
  const listed = cachedList(() => allLayers(operatorLists));
  return {
    workspaces: async () =>
      [...new Set([...WORKSPACES, ...(await listed()).map(({ workspace }) => workspace)])].toSorted(),
    async *list(workspace) {
      for (const record of await listed())
        if (workspace === undefined || record.workspace === workspace) {
          const layer = await cached.of(keyOf(record), { version: '', make: () => described(record) });
          if (layer !== undefined) yield layer;
        }
    },
    find: async (workspace, name, runId) => {
      if (runId !== undefined) return await ofRun(runId, workspace, name);
      const record = await catalog.layer(workspace, name);
      if (record === undefined) return undefined;
      const make = async (): Promise<MapLayer | undefined> => {
        const detail = await operatorLists.layer(workspace, name);
        return detail === undefined ? undefined : await described(detail);
      };
      return await cached.of(keyOf(record), { version: '', make });
    },
    version: async () => hash('sha256', (await listed()).map(keyOf).join('\n')).slice(0, 32),
  };
}

/** Time for which the list is reused, ms. A publication must be listed within a second. */
const LIST_MS = 500;

/** Caches the list for `LIST_MS`. All requests share one read, because each request checks if its workspace exists. */
function cachedList(read: () => Promise<readonly ListedLayer[]>): () => Promise<readonly ListedLayer[]> {
  let last: { readonly until: number; readonly rows: Promise<readonly ListedLayer[]> } | undefined;
  return async () => {
    if (last !== undefined && performance.now() < last.until) return await last.rows;
    const current = { until: performance.now() + LIST_MS, rows: read() };
    last = current;
    try {
      return await current.rows;
    } catch (error) {
      if (last === current) last = undefined;
      throw error;
    }
  };
}

async function allLayers({ layers }: MapLayerSources['operatorLists']): Promise<readonly ListedLayer[]> {
  const all: ListedLayer[] = [];
  for (let offset = 0; ; offset += PAGE_SIZE) {
    const { rows } = await layers({ limit: PAGE_SIZE, offset });
    all.push(...rows);
    if (rows.length < PAGE_SIZE) return all;
  }
}

const keyOf = ({ workspace, layerName, assetKey, version }: LayerVersion): string =>
  `${workspace}:${layerName}|${version}|${assetKey}`;

function layerOf(
  record: LayerVersion & Pick<LayerRecord, 'styleKey'>,
  published: Pick<PublishedItem, 'id' | 'collectionPath' | 'item'> | undefined,
  { baseUrl, isLasting }: { readonly baseUrl: string; readonly isLasting: boolean },
): MapLayer {
  const { workspace, layerName: name, layerType: kind, assetKey } = record;
  const item = published?.item ?? {};
  return {
    workspace,
    name,
    title: titleOf(name, textAt(item, 'properties', 'title')),
    abstract: textAt(item, 'properties', 'description') ?? '',
    kind,
    version: hash('sha256', `${record.version} ${assetKey}`).slice(0, 16),
    isLasting,
    box: boxOf(item['bbox']),
    interval: intervalOf(item),
    assetKey,
    ...styleKeysOf(record, item),
    columns: kind === 'raster' ? [] : columnsOf(item),
    geometryName: geometryNameOf(workspace),
    itemHref: published === undefined ? null : createAddresses(baseUrl).item(published.collectionPath, published.id),
  };
}

type Item = PublishedItem['item'];

function titleOf(name: string, title: string | undefined): string {
  const [, level] = /_level_(\d+)$/.exec(name) ?? [];
  return title === undefined ? name : level === undefined ? title : `${title}, level ${level}`;
}

/** Style file of an earlier run. It is found by the asset key that the newest style file has in the newest Item. */
function styleOfRun(newestKey: string | null, newest: Item = {}, item: Item = {}): string | null {
  const fileOf = (href: string): string | null => fileKeyOf(href, BASE_TOKEN) ?? null;
  const asset = assetsOf(newest).find(({ href }) => newestKey !== null && fileOf(href) === newestKey);
  const own = assetsOf(item).find(({ key }) => key === asset?.key);
  return own === undefined ? null : fileOf(own.href);
}

function boxOf(bbox: unknown): MapLayer['box'] {
  if (!Array.isArray(bbox)) return null;
  const numbers: readonly unknown[] = bbox.length === 6 ? [bbox[0], bbox[1], bbox[3], bbox[4]] : bbox;
  const [west, south, east, north] = numbers.map(Number);
  const box = [west, south, east, north];
  if (west === undefined || south === undefined || east === undefined || north === undefined) return null;
  return box.every(Number.isFinite) ? [west, south, east, north] : null;
}

function intervalOf(item: Item): MapLayer['interval'] {
  const start = textAt(item, 'properties', 'start_datetime') ?? textAt(item, 'properties', 'datetime');
  const end = textAt(item, 'properties', 'end_datetime') ?? start;
  return start === undefined || end === undefined ? null : { start, end };
}

/**
 * Keys of a layer's style files. If an Item has several layers, each layer has its own QML file. The path of its
 * SLD file differs only in the ending. Otherwise the files are the assets `style` and `sld`.
 */
function styleKeysOf({ styleKey }: Pick<LayerRecord, 'styleKey'>, item: Item): Pick<MapLayer, 'sldKey' | 'qmlKey'> {
  const assets = assetsOf(item).map(({ key, href }) => ({ key, file: fileKeyOf(href, BASE_TOKEN) }));
  const named = (name: string): string | null => assets.find(({ key }) => key === name)?.file ?? null;
  const own = styleKey?.replace(/\.qml$/, '.sld');
  const sibling = assets.find(({ file }) => file === own && file !== styleKey)?.file;
  return { qmlKey: styleKey ?? named('style'), sldKey: sibling ?? named('sld') };
}

const TYPES: readonly (readonly [pattern: RegExp, type: MapColumn['type']])[] = [
  [/^(?:u?int|integer)/, 'integer'],
  [/^(?:number|float|double)/, 'number'],
  [/^bool/, 'boolean'],
];

function columnsOf({ properties }: Item): readonly MapColumn[] {
  const columns = isObject(properties) ? objectsIn(properties['table:columns']) : [];
  return columns.flatMap((column) => {
    const [name, type = ''] = [textAt(column, 'name'), textAt(column, 'type')];
    if (name === undefined || type === 'geometry') return [];
    const description = textAt(column, 'description');
    const typed = { name, type: TYPES.find(([pattern]) => pattern.test(type))?.[1] ?? 'string' };
    return [description === undefined ? typed : { ...typed, description }];
  });
}
