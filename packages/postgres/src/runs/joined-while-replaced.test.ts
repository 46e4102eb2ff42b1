import type { Deliverable } from '@headwater/core';
import type { ItemForm } from '@headwater/core/ports';
import type { Stores } from '@headwater/identity';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Database, openDatabase } from '../database.ts';
import { address, type Fresh, freshDatabase } from '../migrate.fixture.ts';
import { createPostgresStores } from '../stores.ts';

if (address === '')
  console.warn('skipped: a table joins an Item: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

const NAME = 'headwater_joined';
const PLACE = 'bihar/gaya/gaya';
const PRESENT = 'bihar/patna/patna';
const FORM: ItemForm = { name: 'f', text: ({ id }) => id };
const TEXTS = 'select collection_path as path from headwater.items where sent_form = $1';
const WAITING = `select count(*)::int as n from pg_stat_activity where datname = '${NAME}' and wait_event_type = 'Lock'`;

const ITEM: Deliverable = {
  items: [{ id: 'x', collectionPath: PLACE, item: { type: 'Feature', id: 'x', geometry: null, assets: {} } }],
  layers: [
    {
      workspace: 'w',
      layerName: 'x',
      datasetName: 'd',
      layerType: 'raster',
      tehsilId: 1,
      itemId: 'x',
      assetKey: 'r/1/x.tif',
      styleKey: null,
    },
  ],
  timings: {},
};
const TABLE: Deliverable = {
  items: [],
  layers: [],
  tables: [
    {
      name: 'accuracy',
      tehsilId: 1,
      key: 'uid',
      columns: [{ name: 'uid', type: 'text', description: 'Micro-watershed' }],
      rows: [{ uid: '1' }],
      earlierItem: { id: 'x', collectionPath: PLACE, assets: { table_accuracy: { href: 'a' } } },
    },
  ],
  timings: {},
};

describe.skipIf(address === '')('a table that joins an Item (needs HEADWATER_TEST_PG: `npm run test:postgres`)', () => {
  let fresh: Fresh;
  let stores: Stores;
  let database: Database;
  beforeAll(async () => {
    fresh = await freshDatabase(NAME);
  });
  beforeEach(async () => {
    stores = await createPostgresStores({ connection: fresh.connection });
    database = openDatabase(fresh.connection);
  });
  afterEach(async () => {
    await stores.close();
    await database.close();
  });
  afterAll(async () => {
    await fresh.stop();
  });

  const tokenOf = async (id: string): Promise<number> => {
    await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: null });
    const run = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 1 });
    return run?.token ?? -1;
  };
  const waiting = async (): Promise<number | undefined> => (await database.first<{ n: number }>(WAITING))?.n;

  it('belongs only to the replaced version of the Item if another run replaces the Item at the same time', async () => {
    const { runs, catalog } = stores;
    expect(await runs.publish('r1', await tokenOf('r1'), ITEM)).toBe('ok');
    const tokens = [await tokenOf('table'), await tokenOf('r2')] as const;
    const outcomes = await database.tx(async (sql) => {
      await sql.run('lock table headwater.data_rows in exclusive mode');
      const joins = runs.publish('table', tokens[0], TABLE);
      await expect.poll(waiting, { interval: 5 }).toBe(1);
      const replaces = runs.publish('r2', tokens[1], ITEM);
      await expect.poll(waiting, { interval: 5 }).toBe(2);
      return [joins, replaces];
    });
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok']);
    const [replaced] = await catalog.itemsOfRun('r1');
    expect(replaced).toMatchObject({ version: 2, replaced: true, item: { assets: { table_accuracy: { href: 'a' } } } });
    expect(await catalog.item(PLACE, 'x')).toMatchObject({ version: 3, runId: 'r2', item: { assets: {} } });
    expect((await catalog.collection(PLACE))?.members.assets).toEqual({});
  });

  it('is in the Collection and the text of the renamed Item if another run renames the Item at the same time', async () => {
    const { runs, catalog } = stores;
    const [x] = ITEM.items;
    if (x === undefined) throw new Error('there is no Item');
    const renamed = {
      ...ITEM,
      items: [{ ...x, collectionPath: PRESENT, formerly: [{ id: 'x', collectionPath: PLACE }] }],
    };
    expect(await runs.publish('named', await tokenOf('named'), ITEM)).toBe('ok');
    const tokens = [await tokenOf('renames'), await tokenOf('joins')] as const;
    const outcomes = await database.tx(async (sql) => {
      await sql.run('lock table headwater.layers in exclusive mode');
      const renames = runs.publish('renames', tokens[0], renamed);
      await expect.poll(waiting, { interval: 5 }).toBe(1);
      const joins = runs.publish('joins', tokens[1], { ...TABLE, form: FORM });
      await expect.poll(waiting, { interval: 5 }).toBe(2);
      return [renames, joins];
    });
    expect(await Promise.all(outcomes)).toEqual(['ok', 'ok']);
    expect(await catalog.item(PRESENT, 'x')).toMatchObject({ item: { assets: { table_accuracy: { href: 'a' } } } });
    expect((await catalog.collection(PRESENT))?.members.assets).toHaveProperty('table_accuracy');
    expect(await catalog.collection(PLACE)).toBeUndefined();
    expect(await database.rows(TEXTS, [FORM.name])).toEqual([{ path: PRESENT }]);
  });
});
