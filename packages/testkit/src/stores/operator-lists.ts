import type { Deliverable } from '@headwater/core';
import type { RunSearch } from '@headwater/core/ports';
import { describe, expect, it } from 'vitest';
import { series, table } from './data-sample.ts';
import { claimed, deliverable, type Get, newRun, newUser, square, worker } from './sample.ts';

const CHAIBASA = { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' };
const PATH = 'jharkhand/west_singhbhum/chaibasa';
const PART = { limit: 50, offset: 0 };
const WORKSPACE = 'LULC_level_3';

/** Test cases of lists for operators, and of removing published Items. */
export function operatorListCases(get: Get): void {
  const place = async (): Promise<number> => {
    const bundle = { ...CHAIBASA, geometry: square(85, 22), mws: [], villages: [] };
    return (await get().places.saveBundle(bundle)).tehsil.id;
  };
  const enqueue = async (id: string, rest: Parameters<typeof newRun>[1] = {}): Promise<void> => {
    await get().runs.enqueue(newRun(id, { fingerprint: id, ...rest }));
  };
  const publish = async (id: string, tehsilId: number, published: Deliverable): Promise<void> => {
    const { runs } = get();
    await enqueue(id, { params: { tehsilId, year: 2020 } });
    const { token } = await claimed(runs);
    expect(await runs.publish(id, token, published)).toBe('ok');
  };
  const ofItems = (tehsilId: number, ids: readonly string[], note = 'first'): Deliverable => ({
    ...deliverable(ids, note),
    layers: ids.map((itemId) => ({
      workspace: WORKSPACE,
      layerName: `layer ${itemId}`,
      datasetName: 'LULC',
      layerType: itemId === 'vector' ? 'vector' : 'raster',
      tehsilId,
      itemId,
      assetKey: `${note}/1/${itemId}.tif`,
      styleKey: null,
    })),
  });

  describe('runs, tehsils and users for operators', () => {
    it('the list of runs can be filtered, searched and sorted, and counts the found runs', async () => {
      const { runs, operatorLists } = get();
      const tehsilId = await place();
      await enqueue('one', { params: { year: 1, tehsilId }, ownerId: 1 });
      await enqueue('two', { params: { tehsilId, note: '"tehsilId":77,' }, ownerId: 2, pipeline: 'terrain' });
      await enqueue('three', { params: { tehsilId: 99 }, ownerId: null, backend: 'orchestrator' });
      await claimed(runs);
      await runs.requestCancel('two');
      const ids = async (query: Partial<RunSearch> = {}) => {
        const { rows, total } = await operatorLists.runs({ ...PART, ...query });
        return [rows.map(({ id }) => id), total];
      };
      expect(await ids()).toEqual([['one', 'two', 'three'], 3]);
      expect(await ids({ isDescending: true, limit: 1, offset: 1 })).toEqual([['two'], 3]);
      expect(await ids({ order: 'state' })).toEqual([['two', 'three', 'one'], 3]);
      expect(await ids({ order: 'state', isDescending: true })).toEqual([['one', 'three', 'two'], 3]);
      expect(await ids({ order: 'duration' })).toEqual([['one', 'two', 'three'], 3]);
      expect(await ids({ state: 'queued' })).toEqual([['three'], 1]);
      expect(await ids({ pipeline: 'terrain' })).toEqual([['two'], 1]);
      expect(await ids({ backend: 'orchestrator', state: 'running' })).toEqual([[], 0]);
      const search = (id: string, slug = '', ownerIds: readonly number[] = []) =>
        ids({ search: { id, slug, ownerIds } });
      expect(await search('two')).toEqual([['two'], 1]);
      expect(await search('x', 'singhbhum')).toEqual([['one', 'two'], 2]);
      expect(await search('x', 'jhark%')).toEqual([[], 0]);
      expect(await search('three', '', [2, 2 ** 40])).toEqual([['two', 'three'], 2]);
      expect(await search('a\0', 'b\0')).toEqual([[], 0]);
      expect(await ids({ pipeline: 'a\0' })).toEqual([[], 0]);
      const { rows } = await operatorLists.runs({ ...PART, limit: 1 });
      expect(rows).toEqual([
        {
          id: 'one',
          pipeline: 'lulc',
          ownerId: 1,
          backend: 'local',
          state: 'running',
          progress: 0,
          createdAt: expect.any(String),
          startedAt: expect.any(String),
          finishedAt: null,
          place: {
            tehsilId,
            ...CHAIBASA,
          },
        },
      ]);
      expect((await operatorLists.runs({ ...PART, offset: 2 })).rows).toMatchObject([{ id: 'three', place: null }]);
    });

    it('openWork counts the queued and running runs by owner', async () => {
      const { runs, operatorLists } = get();
      const none = { queued: 0, running: 0, oldestAt: null, owners: 0, most: [], workers: 0 };
      expect(await operatorLists.openWork(5)).toEqual(none);
      for (const [id, ownerId] of Object.entries({ a: 1, b: 2, c: 2, d: 3 })) await enqueue(id, { ownerId });
      await enqueue('e', { ownerId: null });
      await claimed(runs);
      await runs.requestCancel('d');
      const createdAt = (await runs.get('b'))?.createdAt;
      expect(await operatorLists.openWork(2)).toEqual({
        queued: 3,
        running: 1,
        oldestAt: createdAt,
        owners: 3,
        workers: 1,
        most: [
          {
            ownerId: 2,
            queued: 2,
            running: 0,
          },
          {
            ownerId: 1,
            queued: 0,
            running: 1,
          },
        ],
      });
    });

    it('runCounts counts open and recently ended runs by pipeline and state, and queued runs that wait for no other run', async () => {
      const { runs, operatorLists } = get();
      const hour = 3_600_000;
      expect(await operatorLists.runCounts(hour)).toEqual({ runs: [], waiting: 0, oldestAt: null, workers: 0 });
      await enqueue('a', { pipeline: 'other' });
      const { token } = await claimed(runs, { ...worker('w1'), pipelines: ['other'] });
      await runs.fail('a', token, { code: 'internal', message: 'refused' });
      await enqueue('b');
      await claimed(runs);
      await enqueue('c', { after: ['b'], awaits: ['layer b'] });
      await enqueue('d');
      const createdAt = (await runs.get('d'))?.createdAt;
      const pipeline = (await runs.get('d'))?.pipeline;
      const open = [
        { pipeline, state: 'queued', count: 2 },
        { pipeline, state: 'running', count: 1 },
      ];
      const waiting = { waiting: 1, oldestAt: createdAt, workers: 1 };
      expect(await operatorLists.runCounts(0)).toEqual({ runs: open, ...waiting });
      const failed = { pipeline: 'other', state: 'failed', count: 1 };
      expect(await operatorLists.runCounts(hour)).toEqual({ runs: [...open, failed], ...waiting });
    });

    it('hasOpenRuns is true if a run of the tehsil is queued or running', async () => {
      const { runs } = get();
      const open = async (): Promise<readonly boolean[]> =>
        await Promise.all([7, 8, 77, 0, 2 ** 40, 1.5].map((tehsilId) => runs.hasOpenRuns(tehsilId)));
      expect(await open()).toEqual([false, false, false, false, false, false]);
      await enqueue('seven', { params: { tehsilId: 7, note: '"tehsilId":77,' } });
      await enqueue('eight', { params: { year: 1, tehsilId: 8 } });
      await enqueue('none', { params: { year: 1 } });
      expect(await open()).toEqual([true, true, false, false, false, false]);
      const { token } = await claimed(runs);
      await runs.requestCancel('eight');
      expect(await open()).toEqual([true, false, false, false, false, false]);
      await runs.publish('seven', token, deliverable(['x']));
      expect(await open()).toEqual([false, false, false, false, false, false]);
    });

    it('openRunsOf lists the queued and running runs that use an Earth-observation account', async () => {
      const { runs } = get();
      expect(await runs.openRunsOf(7, 5)).toEqual({ ids: [], total: 0 });
      await enqueue('ended', { params: { eoAccountId: 7 } });
      await runs.requestCancel('ended');
      await enqueue('running', { params: { eoAccountId: 7, year: 1 } });
      await claimed(runs);
      await enqueue('tehsils', { params: { request: { year: 1, eoAccountId: 7 }, note: '\u0000' } });
      await enqueue('other', { params: { eoAccountId: 77, note: '"eoAccountId":7,' } });
      await enqueue('text', { params: { eoAccountId: '7' } });
      await enqueue('queued', { params: { year: 1, eoAccountId: 7 } });
      expect(await runs.openRunsOf(7, 5)).toEqual({ ids: ['queued', 'tehsils', 'running'], total: 3 });
      expect(await runs.openRunsOf(7, 1)).toEqual({ ids: ['queued'], total: 3 });
      expect(await runs.openRunsOf(77, 5)).toEqual({ ids: ['other'], total: 1 });
      for (const id of [0, 2 ** 40, 1.5]) expect(await runs.openRunsOf(id, 5)).toEqual({ ids: [], total: 0 });
    });

    it('removeTehsil with unlessUsed throws a conflict if the tehsil has open runs or published data', async () => {
      const { runs, places } = get();
      const tehsilId = await place();
      const removal = async (): Promise<void> => await places.removeTehsil(tehsilId, { unlessUsed: true });
      const conflict = { code: 'conflict', message: expect.stringContaining('The tehsil stays') };
      await enqueue('open', { params: { tehsilId } });
      await expect(removal()).rejects.toMatchObject(conflict);
      await runs.requestCancel('open');
      await publish('layers', tehsilId, ofItems(tehsilId, ['a']));
      await expect(removal()).rejects.toMatchObject(conflict);
      await runs.unpublish({ collectionPath: PATH, id: 'a' });
      await publish('table', tehsilId, { items: [], layers: [], tables: [table({ tehsilId })], timings: {} });
      await expect(removal()).rejects.toMatchObject(conflict);
      expect(await places.placeOfTehsil(tehsilId)).toBeDefined();
      await places.removeTehsil(tehsilId);
      expect(await places.placeOfTehsil(tehsilId)).toBeUndefined();
      const unused = await place();
      await places.removeTehsil(unused, { unlessUsed: true });
      expect(await places.placeOfTehsil(unused)).toBeUndefined();
    });

    it('idsNamed finds users by a part of their name, and usernames finds names by id', async () => {
      const { users } = get();
      const [asha, binod] = [await users.create(newUser('Asha_1')), await users.create(newUser('binod'))];
      expect(await users.idsNamed('ASHA_', 9)).toEqual([asha.id]);
      expect(await users.idsNamed('', 1)).toEqual([asha.id]);
      expect([await users.idsNamed('%', 9), await users.idsNamed('a\0', 9)]).toEqual([[], []]);
      expect(await users.usernames([binod.id, 2 ** 40, 999])).toEqual(new Map([[binod.id, 'binod']]));
    });
  });

  describe('the lists of layers and tables for operators', () => {
    it('filter, search, sort and count what is published', async () => {
      const { operatorLists } = get();
      const tehsilId = await place();
      await publish('r1', tehsilId, { ...ofItems(tehsilId, ['b', 'vector']), tables: [table({ tehsilId })] });
      // Stores round times to milliseconds. This wait makes the second publication later.
      await nextMillisecond();
      await publish('r2', tehsilId, {
        ...ofItems(tehsilId, ['a', 'b'], 'again'),
        tables: [table({ tehsilId, name: 'zz' })],
      });
      const names = async (query: object = {}) => {
        const { rows, total } = await operatorLists.layers({ ...PART, ...query });
        return [rows.map(({ layerName }) => layerName), total];
      };
      expect(await names()).toEqual([['layer a', 'layer b', 'layer vector'], 3]);
      expect(await names({ order: 'version', isDescending: true, limit: 1 })).toEqual([['layer b'], 3]);
      expect(await names({ order: 'published', limit: 1 })).toEqual([['layer vector'], 3]);
      expect(await names({ order: 'dataset', offset: 2 })).toEqual([['layer vector'], 3]);
      expect(await names({ layerType: 'vector' })).toEqual([['layer vector'], 1]);
      expect(await names({ search: 'SINGHBHUM lulc a' })).toEqual([['layer a', 'layer b', 'layer vector'], 3]);
      expect(await names({ datasetName: 'LULC', state: CHAIBASA.state })).toEqual(await names());
      expect(await operatorLists.layerDatasets()).toEqual(['LULC']);
      expect(await names({ datasetName: 'lulc' })).toEqual([[], 0]);
      expect(await names({ state: 'Bihar' })).toEqual([[], 0]);
      expect(await names({ state: 'a\0' })).toEqual([[], 0]);
      expect(await names({ search: 'layer\\' })).toEqual([[], 0]);
      expect(await names({ search: 'a\0' })).toEqual([[], 0]);
      expect((await operatorLists.layers({ ...PART, limit: 1 })).rows).toEqual([
        {
          workspace: WORKSPACE,
          layerName: 'layer a',
          datasetName: 'LULC',
          layerType: 'raster',
          tehsilId,
          itemId: 'a',
          assetKey: 'again/1/a.tif',
          styleKey: null,
          version: 1,
          collectionPath: PATH,
          runId: 'r2',
          publishedAt: expect.any(String),
          place: {
            tehsilId,
            ...CHAIBASA,
          },
        },
      ]);
      const found = await operatorLists.tables({ ...PART, search: 'chaibasa', isDescending: true });
      expect(found.rows.map(({ name, rowCount, place: at }) => [name, rowCount, at?.tehsil])).toEqual([
        ['zz', 3, 'Chaibasa'],
        ['croppingIntensity_annual', 3, 'Chaibasa'],
      ]);
      for (const order of ['rows', 'version', 'published'] as const)
        expect((await operatorLists.tables({ ...PART, limit: 1, order })).total).toBe(2);
      expect(await operatorLists.tables({ ...PART, search: 'nothing' })).toEqual({ rows: [], total: 0 });
    });
  });

  describe('an Item', () => {
    it('is unpublished with its layers, tables and versions; runs and other Items stay', async () => {
      const { runs, catalog, data, operatorLists, search } = get();
      const tehsilId = await place();
      await publish('r1', tehsilId, ofItems(tehsilId, ['a', 'b']));
      await publish('r2', tehsilId, {
        ...ofItems(tehsilId, ['a', 'b'], 'again'),
        tables: [table({ tehsilId, itemId: 'a' }), table({ tehsilId, name: 'other', itemId: 'b' })],
        series: [series({ tehsilId })],
        inputs: 'scenes',
      });
      const parts = { layers: [`${WORKSPACE}:layer a`], tables: ['croppingIntensity_annual'], series: [] };
      const versions = [
        { runId: 'r2', version: 2 },
        { runId: 'r1', version: 1 },
      ];
      expect(await operatorLists.layer(WORKSPACE, 'layer a')).toMatchObject({ ...parts, versions, runId: 'r2' });
      const before = await catalog.layersVersionOf(tehsilId);
      const key = { collectionPath: PATH, id: 'a' };
      expect(await runs.unpublish(key)).toEqual({ item: key, ...parts, attempts: [] });
      expect(await runs.unpublish(key)).toBeUndefined();
      expect(await catalog.layersVersionOf(tehsilId)).not.toBe(before);
      expect((await catalog.itemsOf(PATH)).map(({ id }) => id)).toEqual(['b']);
      expect((await catalog.layersOf(tehsilId)).map(({ itemId }) => itemId)).toEqual(['b']);
      expect(await catalog.layerOfRun('r1', WORKSPACE, 'layer a')).toBeUndefined();
      expect((await data.tablesOf(tehsilId)).map(({ name }) => name)).toEqual(['other']);
      expect(await data.tableVersionsOf(tehsilId)).toHaveLength(1);
      expect(await data.seriesOf(tehsilId, '12_1')).toHaveLength(1);
      expect((await catalog.itemsOfRun('r1')).map(({ id }) => id)).toEqual(['b']);
      expect((await search.search({ limit: 9 }, { name: 'plain', text: JSON.stringify })).items).toHaveLength(1);
      expect(await operatorLists.layer(WORKSPACE, 'layer a')).toBeUndefined();
      expect(await runs.resultOf('r2')).toBeUndefined();

      const last = await runs.unpublish({ collectionPath: PATH, id: 'b' });
      expect(last).toMatchObject({ tables: ['other'], series: ['ndvi_crop'] });
      expect(last?.attempts.map(({ id }) => id).toSorted()).toEqual(['r1', 'r2']);
      expect(await runs.liveAttempts(1e9)).toEqual([]);
      expect(await data.hasData(tehsilId)).toBe(false);
      expect(await catalog.collection('')).toBeUndefined();
      expect(await runs.get('r2')).toMatchObject({ state: 'success' });
      await publish('r3', tehsilId, ofItems(tehsilId, ['a']));
      expect(await catalog.itemsOf(PATH)).toMatchObject([{ id: 'a', version: 1, runId: 'r3' }]);
    });

    it('stays published while a run of its pipeline and tehsil has not ended', async () => {
      const { runs, catalog } = get();
      const tehsilId = await place();
      await publish('r1', tehsilId, ofItems(tehsilId, ['a']));
      await enqueue('elsewhere', { params: { tehsilId: tehsilId + 1 } });
      await enqueue('other', { params: { tehsilId }, pipeline: 'terrain' });
      await enqueue('again', { params: { tehsilId } });
      const key = { collectionPath: PATH, id: 'a' };
      await expect(runs.unpublish(key)).rejects.toMatchObject({ code: 'conflict', message: /run again/ });
      expect(await catalog.itemsOf(PATH)).toHaveLength(1);
      await runs.requestCancel('again');
      expect(await runs.unpublish(key)).toMatchObject({ item: key });
      for (const id of ['x', 'a\0']) expect(await runs.unpublish({ collectionPath: PATH, id })).toBeUndefined();
    });
  });
}

async function nextMillisecond(): Promise<void> {
  const began = Date.now();
  while (Date.now() === began) await new Promise((resolve) => setImmediate(resolve));
}
