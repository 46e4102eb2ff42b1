import type { Deliverable } from '@headwater/core';
import type { RegionsToRemove, RemovedRegions } from '@headwater/core/ports';
import { describe, expect, it, vi } from 'vitest';
import { series, table } from './data-sample.ts';
import { claimed, deliverable, type Get, newRun, stacItem } from './sample.ts';

const YEAR = 365 * 86_400_000;
const FORM = { name: 'plain', text: JSON.stringify };

const nameOf = (index: number): string => `region_${String(index).padStart(16, '0')}`;
const pathOf = (index: number): string => `regions/custom/${nameOf(index)}`;

function ofRegion(index: number, ...names: readonly string[]): Deliverable {
  const items = names.map((name) => {
    const id = `${nameOf(index)}_${name}`;
    return { id, collectionPath: pathOf(index), item: stacItem(id, name) };
  });
  return { items, layers: [], timings: {}, inputs: 'scenes' };
}

/** Test cases of regions: their own list, and removal by path or by age. */
export function regionCases(get: Get): void {
  const publish = async (id: string, published: Deliverable, fingerprint = id): Promise<void> => {
    const { runs } = get();
    await runs.enqueue(newRun(id, { fingerprint, ownerId: null }));
    const { token } = await claimed(runs);
    expect(await runs.publish(id, token, published)).toBe('ok');
  };
  const remove = (which: RegionsToRemove): Promise<RemovedRegions> => get().runs.removeRegions(which);
  const newest = async (of: 'tehsils' | 'regions', before?: string): Promise<readonly string[]> => {
    const page = { runs: 2, of, ...(before === undefined ? {} : { before }) };
    return (await get().catalog.newest(page)).map(({ runId }) => runId);
  };
  const paths = (): Promise<readonly string[]> => get().catalog.collections();
  const live = async (): Promise<readonly string[]> => (await get().runs.liveAttempts(YEAR)).map(({ id }) => id).sort();

  describe('regions', () => {
    it('are in a separate list from tehsils, newest first, page by page', async () => {
      await publish('r1', deliverable(['lulc_2020']));
      for (const index of [2, 3, 4]) await publish(`r${index}`, ofRegion(index, 'one'));
      expect(await newest('tehsils')).toEqual(['r1']);
      expect([await newest('regions'), await newest('regions', 'r3')]).toEqual([['r4', 'r3'], ['r2']]);
      expect((await get().catalog.newest({ runs: 9 })).map(({ runId }) => runId)).toEqual(['r1']);
    });

    it('are listed page by page for operators, with their boxes, the newest publication first', async () => {
      await publish('t1', deliverable(['lulc_2020']));
      for (const index of [2, 3, 4]) await publish(`r${index}`, ofRegion(index, 'one'));
      await publish('again', ofRegion(2, 'one', 'two'));
      const { regions, total } = await get().catalog.listRegions({ text: '', limit: 9, offset: 0 });
      expect(total).toBe(3);
      expect(Object.fromEntries(regions.map(({ path, items }) => [path, items]))).toEqual({
        [pathOf(2)]: 2,
        [pathOf(3)]: 1,
        [pathOf(4)]: 1,
      });
      for (const { box, publishedAt } of regions) {
        expect(box).toHaveLength(4);
        expect(publishedAt).toMatch(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/);
      }
      const times = regions.map(({ publishedAt }) => publishedAt);
      expect(times).toEqual(times.toSorted().toReversed());
      const second = await get().catalog.listRegions({ text: '', limit: 1, offset: 1 });
      expect(second).toEqual({ regions: [regions[1]], total: 3 });
      const named = await get().catalog.listRegions({ text: nameOf(3), limit: 9, offset: 0 });
      expect([named.total, named.regions[0]?.path]).toEqual([1, pathOf(3)]);
      for (const text of ['%', "'", '\0', 'jharkhand'])
        expect(await get().catalog.listRegions({ text, limit: 9, offset: 0 })).toEqual({ regions: [], total: 0 });
    });

    it('are removed by path, together with everything that was published for them', async () => {
      const { runs, catalog, data, search } = get();
      const layer = { ...deliverable().layers[0], layerName: 'box', tehsilId: 0, itemId: `${nameOf(1)}_one` };
      await publish('replaced', ofRegion(1, 'one'));
      await publish('shown', {
        ...ofRegion(1, 'one', 'two'),
        layers: [layer as Deliverable['layers'][number]],
        tables: [table({ tehsilId: 0, name: 'areas' })],
        series: [series({ tehsilId: 0, name: 'rain' })],
      });
      await publish('other', ofRegion(2, 'one'));
      await publish('tehsil', { ...deliverable(['lulc_2020']), tables: [table({ tehsilId: 1, name: 'areas' })] });

      const { attempts, ...removed } = await remove({ path: pathOf(1) });
      expect(removed).toEqual({ paths: [pathOf(1)], items: 2 });
      expect(attempts.map(({ id, token }) => `${id}/${token}`).sort()).toEqual(['replaced/1', 'shown/1']);
      expect(await catalog.itemsOf(pathOf(1))).toEqual([]);
      expect([await catalog.itemsOfRun('replaced'), await catalog.itemsOfRun('shown')]).toEqual([[], []]);
      expect(await catalog.layer(layer.workspace ?? '', 'box')).toBeUndefined();
      expect(await catalog.layerOfRun('shown', layer.workspace ?? '', 'box')).toBeUndefined();
      expect([await data.tablesOf(0), await data.seriesOf(0, '12_1')]).toEqual([[], []]);
      expect(await catalog.collection(pathOf(1))).toBeUndefined();
      expect(await search.pathOf(pathOf(1).replaceAll('/', '_'))).toBeUndefined();
      expect((await search.search({ limit: 9 }, FORM)).items.map(({ runId }) => runId).sort()).toEqual([
        'other',
        'tehsil',
      ]);
      expect(await paths()).toEqual(['jharkhand/west_singhbhum/chaibasa', pathOf(2)]);
      expect((await data.tablesOf(1)).map(({ name }) => name)).toEqual(['areas']);
      // Runs of a removed region stay. But their results are not reused, and their files do not count as used.
      expect(await runs.get('shown')).toMatchObject({ state: 'success' });
      expect(await runs.resultOf('shown')).toBeUndefined();
      expect(await live()).toEqual(['other', 'tehsil']);
      expect(await remove({ path: pathOf(1) })).toEqual({ paths: [], items: 0, attempts: [] });
      expect(await paths()).toHaveLength(2);
    });

    it('are removed, but tehsils and other paths are not', async () => {
      await publish('tehsil', deliverable(['lulc_2020']));
      await publish('region', ofRegion(1, 'one'));
      for (const path of [
        'jharkhand/west_singhbhum/chaibasa',
        'regions',
        'regions/custom',
        'x',
        '',
        'regions/custom/\0',
      ])
        expect(await remove({ path })).toEqual({ paths: [], items: 0, attempts: [] });
      await vi.waitFor(async () => expect((await remove({ ageMs: 1, most: 9 })).items).toBe(1));
      expect(await paths()).toEqual(['jharkhand/west_singhbhum/chaibasa']);
      expect(await get().catalog.collection('regions')).toBeUndefined();
    });

    it('are removed by age in portions, the oldest first', async () => {
      for (const index of [3, 1, 2, 5, 4]) await publish(`r${index}`, ofRegion(index, 'one', 'two'));
      expect(await remove({ ageMs: YEAR, most: 9 })).toEqual({ paths: [], items: 0, attempts: [] });
      // After this wait, all regions are older than 1 ms.
      const end = Date.now();
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(end + 2), { interval: 1 });
      const step = async () => {
        const { paths: found, items } = await remove({ ageMs: 1, most: 2 });
        return [[...found].sort(), items];
      };
      expect(await step()).toEqual([[pathOf(1), pathOf(3)], 4]);
      expect(await step()).toEqual([[pathOf(2), pathOf(5)], 4]);
      expect(await step()).toEqual([[pathOf(4)], 2]);
      expect(await step()).toEqual([[], 0]);
    });

    it('stay as long as one of their Items is newer than the age', async () => {
      await publish('r1', ofRegion(1, 'one', 'two'));
      await publish('r2', ofRegion(2, 'one'));
      const between = Date.now();
      await vi.waitFor(() => expect(Date.now()).toBeGreaterThan(between + 2), { interval: 1 });
      await publish('r3', ofRegion(1, 'two'));
      expect(await remove({ ageMs: Date.now() - between - 1, most: 9 })).toMatchObject({
        paths: [pathOf(2)],
        items: 1,
      });
      expect((await get().catalog.itemsOf(pathOf(1))).map(({ runId }) => runId)).toEqual(['r1', 'r3']);
    });

    it('are published again after their removal, from version 1', async () => {
      const { catalog, runs, search } = get();
      await publish('first', ofRegion(1, 'one'), 'same');
      await publish('second', ofRegion(1, 'one'), 'same');
      await remove({ path: pathOf(1) });
      await publish('third', ofRegion(1, 'one'), 'same');
      expect(await catalog.itemsOf(pathOf(1))).toMatchObject([{ version: 1, runId: 'third' }]);
      expect(await runs.resultOf('same')).toMatchObject({ id: 'third' });
      expect(await search.pathOf(pathOf(1).replaceAll('/', '_'))).toBe(pathOf(1));
      expect(await live()).toEqual(['third']);
    });

    it('are either complete or absent if they are removed while they are published', async () => {
      const { catalog, runs, search } = get();
      await publish('r0', ofRegion(1, 'one', 'two'));
      for (let index = 1; index <= 8; index += 1) {
        const id = `r${index}`;
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        const both = [() => runs.publish(id, token, ofRegion(1, 'one', 'two')), () => remove({ path: pathOf(1) })];
        await Promise.all((index % 2 === 0 ? both : both.toReversed()).map((each) => each()));
        const items = await catalog.itemsOf(pathOf(1));
        expect(new Set(items.map(({ runId }) => runId)).size).toBeLessThan(2);
        const isThere = items.length > 0;
        expect([items.length, await catalog.itemsOfRun(id)]).toEqual([
          isThere ? 2 : 0,
          isThere ? [{}, {}].map(() => expect.anything()) : [],
        ]);
        expect(await search.pathOf(pathOf(1).replaceAll('/', '_'))).toBe(isThere ? pathOf(1) : undefined);
        expect(await live()).toEqual(isThere ? [id] : []);
      }
    });
  });
}
