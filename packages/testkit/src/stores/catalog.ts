import type { Deliverable, NewItem } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun, stacItem } from './sample.ts';

const PATH = 'jharkhand/west_singhbhum/chaibasa';

/** Test cases of the catalogue of published Items and layers. */
export function catalogCases(get: Get): void {
  const publish = async (id: string, published: Deliverable): Promise<void> => {
    const { runs } = get();
    await runs.enqueue(newRun(id));
    const { token } = await claimed(runs);
    expect(await runs.publish(id, token, published)).toBe('ok');
  };

  describe('the catalogue', () => {
    it('is empty at first', async () => {
      const { catalog } = get();
      expect(await catalog.collections()).toEqual([]);
      expect(await catalog.itemsOf('a/b/c')).toEqual([]);
      expect(await catalog.item('a/b/c', 'x')).toBeUndefined();
      expect(await catalog.layer('ws', 'layer')).toBeUndefined();
      expect(await catalog.layersOf(1)).toEqual([]);
    });

    it('lists the Collections in ascending order, and the Items of one Collection', async () => {
      const { catalog } = get();
      const [first] = deliverable(['x']).items;
      const at = (collectionPath: string, id: string): Deliverable['items'][number] => ({
        id,
        collectionPath,
        item: first?.item ?? {},
      });
      await publish('r1', {
        items: [at('b/b/b', 'one'), at('a/b/c', 'two'), at('a/b/c', 'three')],
        layers: [],
        timings: {},
      });
      expect(await catalog.collections()).toEqual(['a/b/c', 'b/b/b']);
      expect((await catalog.itemsOf('a/b/c')).map(({ id }) => id).sort()).toEqual(['three', 'two']);
      expect(await catalog.item('b/b/b', 'two')).toBeUndefined();
      expect((await catalog.item('a/b/c', 'two'))?.collectionPath).toBe('a/b/c');
    });

    it('lists the published tehsils with the extent and number of their Items, without regions', async () => {
      const { catalog } = get();
      expect(await catalog.publishedTehsils()).toEqual([]);
      const at = (collectionPath: string, id: string, bbox?: readonly number[]): Deliverable['items'][number] => {
        const { bbox: _own, ...item } = stacItem(id, 'note');
        const period = { start_datetime: '2021-07-01T00:00:00Z', end_datetime: '2022-06-30T00:00:00Z' };
        return { id, collectionPath, item: { ...item, properties: period, ...(bbox === undefined ? {} : { bbox }) } };
      };
      const items = [
        at('b/b/b', 'one', [80, 10, 81, 11]),
        at('a/b/c', 'two', [70, 20, 71, 21]),
        at('a/b/c', 'three', [70.5, 19.5, 72, 20]),
        at('c/c/c', 'unbounded'),
        at('regions/custom/region_0123456789abcdef', 'region', [1, 2, 3, 4]),
      ];
      await publish('r1', { items, layers: [], timings: {} });
      expect(await catalog.publishedTehsils()).toEqual([
        { path: 'a/b/c', items: 2, box: [70, 19.5, 72, 21] },
        { path: 'b/b/b', items: 1, box: [80, 10, 81, 11] },
        { path: 'c/c/c', items: 1, box: null },
      ]);
    });

    it('lists the Items of a Collection page by page, in descending order of their start times; Items without a start time come first', async () => {
      const { catalog } = get();
      const at = (id: string, year: number): Deliverable['items'][number] => ({
        id,
        collectionPath: 'a/b/c',
        item: { ...stacItem(id, 'note'), properties: { title: id, start_datetime: `${year}-07-01T00:00:00Z` } },
      });
      const undated = { ...at('undated', 0), item: { ...stacItem('undated', 'note'), properties: {} } };
      await publish('r1', {
        items: [at('one', 2020), undated, at('two', 2022), at('also', 2020)],
        layers: [],
        timings: {},
      });
      const idsAt = async (offset: number): Promise<readonly string[]> =>
        (await catalog.listOf('a/b/c', { limit: 3, offset })).map(({ id }) => id);
      expect(await idsAt(0)).toEqual(['undated', 'two', 'one']);
      expect(await idsAt(3)).toEqual(['also']);
      expect(await catalog.listOf('a/b/c', { limit: 1, offset: 1 })).toEqual([
        { id: 'two', collectionPath: 'a/b/c', version: 1, runId: 'r1', title: 'two' },
      ]);
      expect(await catalog.listOf('a/b/c', { limit: 1, offset: 0 })).toMatchObject([{ id: 'undated', title: null }]);
      expect(await catalog.listOf('a/b', { limit: 9, offset: 0 })).toEqual([]);
      expect(await catalog.listOf('a\0', { limit: 9, offset: 0 })).toEqual([]);
    });

    it('lists the current Items of the newest runs, run by run', async () => {
      const { catalog } = get();
      expect(await catalog.newest({ runs: 5 })).toEqual([]);
      const at = (collectionPath: string, ...ids: readonly string[]): Deliverable => ({
        items: ids.map((id) => ({ id, collectionPath, item: stacItem(id, 'note') })),
        layers: [],
        timings: {},
      });
      await publish('r1', at('z/z/z', 'old'));
      await publish('r2', at('a/b/c', 'two', 'one', 'gone'));
      await publish('r3', at('b/b/b', 'three'));
      await publish('r4', at('a/b/c', 'gone'));
      const newestIds = async (page: Parameters<typeof catalog.newest>[0]): Promise<readonly string[]> =>
        (await catalog.newest(page)).map(({ runId, id }) => `${runId} ${id}`);
      expect(await newestIds({ runs: 3 })).toEqual(['r4 gone', 'r3 three', 'r2 two', 'r2 one']);
      expect(await newestIds({ runs: 3, before: 'r2' })).toEqual(['r1 old']);
      expect(await newestIds({ runs: 2, before: 'r4' })).toEqual(['r3 three', 'r2 two', 'r2 one']);
      expect(await newestIds({ runs: 1, before: 'r1' })).toEqual([]);
      expect(await newestIds({ runs: 1, before: '\0' })).toEqual([]);
      expect((await catalog.newest({ runs: 1 }))[0]).toEqual({
        id: 'gone',
        collectionPath: 'a/b/c',
        version: 2,
        runId: 'r4',
      });
    });

    it('summarizes the Items of a Collection of any level', async () => {
      const { catalog } = get();
      expect(await catalog.collection('')).toBeUndefined();
      const at = (collectionPath: string, id: string, rest: object = {}): Deliverable['items'][number] => ({
        id,
        collectionPath,
        item: { ...stacItem(id, 'note'), ...rest },
      });
      const none = { values: {}, assets: {} };
      const assets = { data: { type: [], title: [], roles: [] } };
      const later = { start_datetime: '2022-07-01T00:00:00Z', end_datetime: '2023-06-30T23:59:59Z' };
      const years = { start_datetime: '2020-07-01T00:00:00Z', end_datetime: '2021-06-30T23:59:59Z' };
      await publish('r1', {
        items: [
          at('a/b/c', 'one'),
          at('a/b/c', 'two', { bbox: [84, 22, 85, 23], properties: { ...later, gsd: 10 } }),
          at('a/d/c', 'three', { bbox: [70, 10, 71, 11], properties: { ...years, gsd: 20 } }),
          at('e/b/c', 'boxless', { bbox: undefined }),
          at('a-b/b/c', 'neighbour', { bbox: [0, 0, 1, 1] }),
        ],
        layers: [],
        timings: {},
      });
      expect(await catalog.collection('')).toEqual({
        path: '',
        extent: null,
        members: none,
        children: ['a', 'a-b', 'e'],
      });
      const interval = [['2020-07-01T00:00:00Z', '2023-06-30T23:59:59Z']];
      expect(await catalog.collection('a')).toEqual({
        path: 'a',
        extent: { spatial: { bbox: [[70, 10, 86, 23]] }, temporal: { interval } },
        members: { values: { gsd: [10, 20] }, assets },
        children: ['a/b', 'a/d'],
      });
      expect(await catalog.collection('a/b')).toMatchObject({ children: ['a/b/c'] });
      expect(await catalog.collection('a/b/c')).toEqual({
        path: 'a/b/c',
        extent: { spatial: { bbox: [[84, 22, 86, 23]] }, temporal: { interval } },
        members: { values: { gsd: [10] }, assets },
        children: [],
      });
      expect(await catalog.collection('e/b')).toEqual({
        path: 'e/b',
        extent: null,
        members: { values: {}, assets },
        children: ['e/b/c'],
      });
      expect(await catalog.collection('a/b/x')).toBeUndefined();
      expect(await catalog.collections(2)).toEqual(['a-b/b/c', 'a/b/c']);
    });

    it('a Collection disappears when its last Item moves to another Collection', async () => {
      const { catalog } = get();
      const named = (collectionPath: string, formerly: NewItem['formerly'] = []): Deliverable => ({
        items: [{ id: 'one', collectionPath, item: stacItem('one', 'note'), formerly }],
        layers: [],
        timings: {},
      });
      await publish('r1', named('a/b/c'));
      await publish('r2', named('a/d/c', [{ collectionPath: 'a/b/c', id: 'one' }]));
      expect(await catalog.collection('a/b/c')).toBeUndefined();
      expect(await catalog.collection('a/b')).toBeUndefined();
      expect((await catalog.collection('a'))?.children).toEqual(['a/d']);
      expect(await catalog.collections()).toEqual(['a/d/c']);
    });

    it('a Collection is updated when later runs replace its Items', async () => {
      const { catalog } = get();
      const moved = (bbox: readonly number[]): Deliverable => ({
        items: [{ id: 'one', collectionPath: 'a/b/c', item: { ...stacItem('one', 'note'), bbox } }],
        layers: [],
        timings: {},
      });
      await publish('r1', moved([0, 0, 1, 1]));
      await publish('r2', moved([5, 5, 6, 6]));
      for (const path of ['a', 'a/b', 'a/b/c']) {
        expect((await catalog.collection(path))?.extent?.spatial.bbox).toEqual([[5, 5, 6, 6]]);
      }
    });

    it('Collections contain the Items of all runs, even if several runs publish in the same state of India at the same time', async () => {
      const { runs, catalog } = get();
      const ids = ['r1', 'r2', 'r3', 'r4'];
      for (const id of ids) await runs.enqueue(newRun(id));
      const claims = [await claimed(runs), await claimed(runs), await claimed(runs), await claimed(runs)];
      const results = ids.map((id, index): Deliverable => ({
        items: [
          { id, collectionPath: 'a/b/c', item: { ...stacItem(id, 'x'), bbox: [index, 0, index + 1, 1] } },
          { id, collectionPath: `a/d/${id}`, item: { ...stacItem(id, 'x'), bbox: [index, 0, index + 1, 1] } },
        ],
        layers: [],
        timings: {},
      }));
      await Promise.all(claims.map(({ id, token }, index) => runs.publish(id, token, results[index] ?? deliverable())));
      for (const path of ['a', 'a/b/c', 'a/d'])
        expect((await catalog.collection(path))?.extent?.spatial.bbox).toEqual([[0, 0, 4, 1]]);
    });

    it('returns an Item with its members in their order', async () => {
      const { catalog } = get();
      await publish('r1', deliverable(['lulc_2020'], 'note'));
      const stored = await catalog.item(PATH, 'lulc_2020');
      expect(JSON.stringify(stored?.item)).toBe(JSON.stringify(stacItem('lulc_2020', 'note')));
    });

    it('finds layers by name and by tehsil', async () => {
      const { catalog } = get();
      const published = deliverable();
      await publish('r1', published);
      const expected = { ...published.layers[0], version: 1 };
      expect(await catalog.layer('LULC_level_3', 'LULC_20_21_chaibasa_level_3')).toEqual(expected);
      const times = { start: '2020-07-01T00:00:00.000Z', end: '2021-06-30T23:59:59.000Z' };
      expect(await catalog.layersOf(1)).toEqual([{ ...expected, ...times, shape: null }]);
      expect(await catalog.layersOf(1, 'LULC_level_3')).toEqual(await catalog.layersOf(1));
      expect([await catalog.layersOf(1, 'mws'), await catalog.layersOf(2)]).toEqual([[], []]);
      await publish('r2', {
        ...published,
        items: [],
        layers: published.layers.map((each) => ({ ...each, tehsilId: 2, layerName: 'other', itemId: 'none' })),
      });
      expect(await catalog.layersOf(2)).toMatchObject([{ layerName: 'other', start: null, end: null, shape: null }]);
    });

    it.each([
      ['a text', 'point', 'point'],
      ['a list', ['point'], null],
      ['a number', 7, null],
    ])('if the feature shape in an Item is %s (%j), the layer has the shape %j', async (_, value, shape) => {
      const published = deliverable();
      const items = published.items.map((each) => ({
        ...each,
        item: { ...each.item, properties: { 'headwater:feature_shape': value } },
      }));
      await publish('r1', { ...published, items });
      expect(await get().catalog.layersOf(1)).toMatchObject([{ shape }]);
    });

    it('the version of the layers of a tehsil changes only when one of these layers is published', async () => {
      const { catalog } = get();
      const [layer] = deliverable().layers;
      if (layer === undefined) throw new Error('fixture: no layer');
      const other = { ...layer, layerName: 'another', assetKey: 'r2/1/a' };
      const versions = [await catalog.layersVersionOf(1)];
      for (const [run, layers] of [
        ['r1', [layer]],
        ['r2', [other]],
        ['r3', [{ ...other, assetKey: 'r3/1/a' }]],
        ['r4', [{ ...other, layerName: 'renamed', formerly: ['another'], assetKey: 'r4/1/a' }]],
      ] as const) {
        await publish(run, { ...deliverable([]), layers });
        versions.push(await catalog.layersVersionOf(1));
      }
      expect(new Set(versions).size).toBe(5);
      await publish('r5', { ...deliverable([]), layers: [{ ...other, layerName: 'south', tehsilId: 2 }] });
      expect(await catalog.layersVersionOf(1)).toBe(versions.at(-1));
      expect(await catalog.layersVersionOf(3)).toBe(await catalog.layersVersionOf(2 ** 31));
    });

    it('accepts Items without geometry', async () => {
      const { catalog } = get();
      const item = { ...stacItem('plain', 'x'), geometry: null };
      await publish('r1', { items: [{ id: 'plain', collectionPath: 'a/b/c', item }], layers: [], timings: {} });
      expect((await catalog.item('a/b/c', 'plain'))?.item).toEqual(item);
    });
  });
}
