import type { PublishedTable } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { dataOf, publishData, table } from './data-sample.ts';
import type { Get } from './sample.ts';
import { claimed, deliverable, newRun, stacItem } from './sample.ts';

const collectionPath = 'jharkhand/west_singhbhum/chaibasa';

/** Test cases of tables that belong to an Item of an earlier run. */
export function earlierItemCases(get: Get): void {
  describe('tables of an earlier Item', () => {
    it('can belong to an unchanged Item of an earlier run, but only if that Item belongs to a layer of the same tehsil', async () => {
      const { runs, data, catalog } = get();
      const earlierItem = { id: 'lulc_2020', collectionPath };
      await publishData(runs, 'r1', deliverable());
      await publishData(runs, 'r2', dataOf({ tables: [table({ earlierItem })] }));
      expect(await data.tableHead(1, table().name)).toMatchObject({ itemId: 'lulc_2020', runId: 'r2' });
      expect(await catalog.item(collectionPath, 'lulc_2020')).toMatchObject({ version: 1, runId: 'r1' });
      expect(await runs.get('r2')).toMatchObject({ state: 'success', itemIds: [] });
      await runs.enqueue(newRun('r3'));
      const { token } = await claimed(runs);
      for (const other of [
        table({ name: 'other', earlierItem, tehsilId: 2 }),
        table({ name: 'other', earlierItem: { id: 'nowhere', collectionPath } }),
        table({ name: 'other', earlierItem: { ...earlierItem, collectionPath: 'jharkhand' } }),
        table({ name: 'other', earlierItem: { id: 'lulc_vector', collectionPath } }),
      ])
        await expect(runs.publish('r3', token, dataOf({ tables: [other] }))).rejects.toMatchObject({
          code: 'conflict',
        });
      const both = table({ name: 'other', earlierItem, itemId: 'a' });
      await expect(runs.publish('r3', token, dataOf({ tables: [both] }))).rejects.toMatchObject({ code: 'internal' });
      expect((await data.tablesOf(1)).map(({ name }) => name)).toEqual([table().name]);
      expect(await data.tablesOf(2)).toEqual([]);
      expect(await runs.publish('r3', token, { ...deliverable(['new'], 'third'), layers: [] })).toBe('ok');
    });

    it('have their addresses in that Item; the result of the earlier run can still be reused', async () => {
      const { runs, catalog } = get();
      await publishData(runs, 'r1', { ...deliverable(['lulc_2020']), inputs: 'scenes' });
      const of = (href: string) => ({ id: 'lulc_2020', collectionPath, assets: { [`table_${href}`]: { href } } });
      await publishData(
        runs,
        'r2',
        dataOf({ tables: [table({ earlierItem: of('a') }), table({ name: 'b', earlierItem: of('b') })] }),
      );
      await publishData(runs, 'r3', dataOf({ tables: [table({ name: 'c', earlierItem: of('b') })] }));
      const item = await catalog.item(collectionPath, 'lulc_2020');
      const { assets, ...rest } = item?.item ?? {};
      expect(item).toMatchObject({ runId: 'r1', version: 4 });
      expect(Object.keys(Object(assets)).sort()).toEqual(['data', 'table_a', 'table_b']);
      expect({ ...rest, assets: { data: Object(assets)['data'] } }).toEqual(stacItem('lulc_2020', 'first'));
      expect(await runs.resultOf('same')).toMatchObject({ id: 'r1' });
      expect((await catalog.itemsOfRun('r1'))[0]).toMatchObject({ item: { assets } });
    });

    it('are refused above the maximum number of tables of that Item, even from concurrent runs; a table that the Item already has can be published again', async () => {
      const { runs, data, catalog } = get();
      await publishData(runs, 'r1', deliverable());
      const limit = { names: 'acc_', most: 2, remedy: 'Take fewer.' };
      const limited = (name: string): PublishedTable => {
        const assets = { [`table_${name}`]: { href: name }, [`table_${name}_csv`]: { href: name } };
        return table({ name, earlierItem: { id: 'lulc_2020', collectionPath, assets, limit } });
      };
      const publish = async (id: string, ...names: readonly string[]): Promise<unknown> => {
        await runs.enqueue(newRun(id));
        const { token } = await claimed(runs);
        return await runs.publish(id, token, dataOf({ tables: names.map(limited) }));
      };
      await expect(publish('all', 'acc_a', 'acc_b', 'acc_c')).rejects.toMatchObject({
        code: 'conflict',
        message: expect.stringMatching(/lulc_2020.*2 tables.*acc_.*Take fewer\.$/),
      });
      expect(await data.tablesOf(1)).toEqual([]);
      expect(await publish('first', 'acc_a')).toBe('ok');
      const ids = ['left', 'right'];
      for (const id of ids) await runs.enqueue(newRun(id));
      const [one, other] = [await claimed(runs), await claimed(runs)];
      const both = await Promise.allSettled(
        [one, other].map(({ id, token }) => runs.publish(id, token, dataOf({ tables: [limited(`acc_${id}`)] }))),
      );
      expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
      expect((await data.tablesOf(1)).map(({ name }) => name)).toHaveLength(2);
      const assets = Object.keys(Object((await catalog.item(collectionPath, 'lulc_2020'))?.item['assets']));
      expect(assets.filter((key) => key.startsWith('table_acc_'))).toHaveLength(4);
      for (const id of ids) await runs.requestCancel(id);
      expect(await publish('again', 'acc_a')).toBe('ok');
    });

    it('belong to a renamed Item under its new name, and have their addresses in that Item', async () => {
      const { runs, data, catalog } = get();
      const former = { id: 'lulc_old', collectionPath };
      const present = deliverable(['lulc_2020']);
      await publishData(runs, 'r1', {
        ...present,
        items: present.items.map((item) => ({ ...item, formerly: [former] })),
      });
      const earlierItem = { ...former, assets: { table_a: { href: 'a' } } };
      await publishData(runs, 'r2', dataOf({ tables: [table({ earlierItem })] }));
      expect((await data.tableHead(1, table().name))?.itemId).toBe('lulc_2020');
      expect((await catalog.item(collectionPath, 'lulc_2020'))?.item).toMatchObject({
        assets: { data: {}, table_a: { href: 'a' } },
      });
    });

    it('belong to the Item that has the name now, not to the Item that had it before', async () => {
      const { runs, data, catalog } = get();
      const renamed = deliverable(['lulc_2020']);
      const formerly = [{ id: 'lulc_old', collectionPath }];
      await publishData(runs, 'r1', { ...renamed, items: renamed.items.map((item) => ({ ...item, formerly })) });
      const again = deliverable(['lulc_old']);
      const layers = again.layers.map((layer) => ({ ...layer, layerName: 'lulc_old', itemId: 'lulc_old' }));
      await publishData(runs, 'r2', { ...again, layers });
      const earlierItem = { id: 'lulc_old', collectionPath, assets: { table_a: { href: 'a' } } };
      await publishData(runs, 'r3', dataOf({ tables: [table({ earlierItem })] }));
      expect((await data.tableHead(1, table().name))?.itemId).toBe('lulc_old');
      const assets = async (id: string) =>
        Object.keys(Object((await catalog.item(collectionPath, id))?.item['assets']));
      expect([await assets('lulc_old'), await assets('lulc_2020')]).toEqual([['data', 'table_a'], ['data']]);
    });
  });
}
