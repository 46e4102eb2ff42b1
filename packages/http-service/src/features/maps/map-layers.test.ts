import type { PublishedItem } from '@headwater/core';
import type { ListedLayer } from '@headwater/core/ports';
import { expect, it } from 'vitest';
import { BASE_TOKEN } from '../../wire/addresses.ts';
import { createMapLayers } from './map-layers.ts';

const listedLayer = (layerName: string, more: Partial<ListedLayer> = {}): ListedLayer => ({
  workspace: 'mws',
  layerName,
  datasetName: 'MWS',
  layerType: 'vector',
  tehsilId: 1,
  itemId: 'item',
  assetKey: `run/1/${layerName}.geojson`,
  styleKey: null,
  version: 1,
  collectionPath: 'a/b/c',
  runId: 'run',
  publishedAt: null,
  place: null,
  ...more,
});

function world(rows: readonly ListedLayer[], item: PublishedItem['item'] = {}) {
  const reads = { list: 0, items: 0 };
  const layers = createMapLayers({
    catalog: {
      item: async (collectionPath, id) => {
        reads.items += 1;
        return { id, collectionPath, version: 1, runId: 'run', item };
      },
      itemsOfRun: async () => [],
      layer: async (workspace, name) => rows.find((row) => row.workspace === workspace && row.layerName === name),
      layerOfRun: async () => undefined,
    },
    operatorLists: {
      layers: async ({ limit, offset }) => {
        reads.list += 1;
        return { rows: rows.slice(offset, offset + limit), total: rows.length };
      },
      layer: async (workspace, name) => {
        const row = rows.find((each) => each.workspace === workspace && each.layerName === name);
        return row && { ...row, layers: [], tables: [], series: [], versions: [] };
      },
    },
    assets: undefined,
    baseUrl: 'https://example.org',
  });
  return { layers, reads };
}

it('lists more layers than one read of the list returns, and reads each Item once', async () => {
  const rows = Array.from({ length: 1100 }, (_each, at) => listedLayer(`l${String(at).padStart(4, '0')}`));
  const { layers, reads } = world(rows);
  const names = async (): Promise<readonly string[]> => {
    const found: string[] = [];
    for await (const { name } of layers.list()) found.push(name);
    return found;
  };
  expect(await names()).toEqual(rows.map(({ layerName }) => layerName));
  expect(reads).toEqual({ list: 3, items: 1100 });
  await names();
  await layers.find('mws', 'l0007');
  expect(reads.items).toBe(1100);
});

it('reads the list once for simultaneous requests, and again after a failure', async () => {
  const { layers, reads } = world([listedLayer('a')]);
  await Promise.all([layers.workspaces(), layers.version(), layers.workspaces()]);
  expect(reads.list).toBe(1);
  let isAway = true;
  const failing = createMapLayers({
    assets: undefined,
    baseUrl: 'https://example.org',
    catalog: {
      item: async () => undefined,
      itemsOfRun: async () => [],
      layer: async () => undefined,
      layerOfRun: async () => undefined,
    },
    operatorLists: {
      layer: async () => undefined,
      layers: async () => {
        if (isAway) throw new Error('away');
        return { rows: [], total: 0 };
      },
    },
  });
  await expect(failing.workspaces()).rejects.toThrow('away');
  isAway = false;
  expect(await failing.workspaces()).toHaveLength(41);
});

it('lists the 41 workspaces of the live map server even without layers, and all other workspaces that have layers', async () => {
  const names = await world([listedLayer('a', { workspace: 'own' }), listedLayer('b')]).layers.workspaces();
  expect(names).toHaveLength(42);
  expect(names).toEqual(expect.arrayContaining(['LULC_level_3', 'mws', 'own', 'pan_india_asset']));
  expect(names).toEqual(names.toSorted());
});

it('describes a layer by its Item: extent, interval, columns, and the style of the layer itself', async () => {
  const file = (name: string): { readonly href: string } => ({ href: `${BASE_TOKEN}/api/v1/assets/run/1/${name}` });
  const item = {
    bbox: [179, -10, 0, -179, 10, 900],
    properties: {
      title: 'Title',
      datetime: '2024-01-01T00:00:00Z',
      'table:columns': [
        { name: 'uid', type: 'object', description: 'Id' },
        { name: 'n', type: 'int64', description: 'Number' },
        { name: 'x', type: 'float64' },
        { name: 'is', type: 'bool' },
        { name: 'geometry', type: 'geometry' },
      ],
    },
    assets: { style_1: file('one.qml'), sld_1: file('one.sld'), style_2: file('two.qml'), sld_2: file('two.sld') },
  };
  const { layers } = world([listedLayer('a', { styleKey: 'run/1/two.qml' })], item);
  expect(await layers.find('mws', 'a')).toMatchObject({
    title: 'Title',
    abstract: '',
    box: [179, -10, -179, 10],
    interval: { start: '2024-01-01T00:00:00Z', end: '2024-01-01T00:00:00Z' },
    qmlKey: 'run/1/two.qml',
    sldKey: 'run/1/two.sld',
    columns: [
      { name: 'uid', type: 'string', description: 'Id' },
      { name: 'n', type: 'integer', description: 'Number' },
      { name: 'x', type: 'number' },
      { name: 'is', type: 'boolean' },
    ],
    geometryName: 'geom',
    itemHref: 'https://example.org/api/v1/stac/a/b/c/items/item/',
  });
});

it('the title of a layer whose name ends in _level_N contains this level', async () => {
  const item = { properties: { title: 'Land cover 2021' } };
  const { layers } = world([listedLayer('lulc_level_1'), listedLayer('lulc_level_3'), listedLayer('level_x')], item);
  const titles = await Promise.all(
    ['lulc_level_1', 'lulc_level_3', 'level_x'].map(async (name) => (await layers.find('mws', name))?.title),
  );
  expect(titles).toEqual(['Land cover 2021, level 1', 'Land cover 2021, level 3', 'Land cover 2021']);
});

it('an earlier version of a layer has the style that its own run published', async () => {
  const itemOf = (run: string): PublishedItem['item'] => {
    const file = (name: string) => ({ href: `${BASE_TOKEN}/api/v1/assets/${run}/1/${name}` });
    const styles = { style: file('a.qml'), sld: file('a.sld'), style_1: file('b.qml'), sld_1: file('b.sld') };
    return { assets: { ...styles, other: file('x.qml') } };
  };
  const place = { id: 'item', collectionPath: 'a/b/c', version: 1 };
  const layers = createMapLayers({
    catalog: {
      item: async () => ({ ...place, runId: 'new', item: itemOf('new') }),
      itemsOfRun: async () => [{ ...place, runId: 'old', item: itemOf('old'), replaced: true }],
      layer: async (_, layerName) =>
        listedLayer(layerName, { styleKey: layerName === 'bare' ? null : `new/1/${layerName}.qml` }),
      layerOfRun: async () => ({ layerType: 'raster', assetKey: 'old/1/a.tif' }),
    },
    operatorLists: { layers: async () => ({ rows: [], total: 0 }), layer: async () => undefined },
    assets: { open: async () => ({ bytes: 0, etag: '', modified: new Date(0), stream: () => new Blob([]).stream() }) },
    baseUrl: 'https://example.org',
  });
  const stylesOf = async (name: string) => {
    const layer = await layers.find('mws', name, 'old');
    return [layer?.qmlKey, layer?.sldKey];
  };
  expect(await stylesOf('a')).toEqual(['old/1/a.qml', 'old/1/a.sld']);
  expect(await stylesOf('b')).toEqual(['old/1/b.qml', 'old/1/b.sld']);
  expect(await stylesOf('bare')).toEqual(['old/1/a.qml', 'old/1/a.sld']);
});

it('a layer whose Item is missing has its name as title, no extent and no interval', async () => {
  const { layers } = world([listedLayer('a', { collectionPath: null })]);
  expect(await layers.find('mws', 'a')).toMatchObject({ title: 'a', box: null, interval: null, itemHref: null });
});
