import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deliverable } from '../ports/runs.ts';
import { bench, type Bench } from './bench.fixture.ts';
import { replacedYearsOf } from './replaced-years.ts';

function layerOf(first: number, last: number, formerly?: string): Deliverable {
  const properties = {
    description: `Years ${first} to ${last}.`,
    datetime: null,
    start_datetime: `${first}-07-01T00:00:00Z`,
    end_datetime: `${last + 1}-06-30T00:00:00Z`,
  };
  const id = formerly === undefined ? 'intensity' : 'intensity_vector';
  const former = formerly === undefined ? {} : { formerly: [{ id: formerly, collectionPath: 's/d/b' }] };
  const item = { id, collectionPath: 's/d/b', item: { id, properties }, ...former };
  return { items: [item], layers: [], timings: {} };
}

describe('a layer that replaces a version with more years', () => {
  let b: Bench;
  beforeEach(() => {
    b = bench();
    b.worker().start();
  });
  afterEach(() => b.stopAll());
  const publish = async (n: number, deliverable: Deliverable) => {
    const id = await b.start(n);
    (await b.step()).finish(deliverable);
    await b.time.advance(0);
    expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success' });
    const [made] = await b.stores.catalog.itemsOfRun(id);
    const lines = (await b.stores.runs.events(id, 0, 100)).filter(({ kind }) => kind === 'log');
    const replaced = replacedYearsOf(made?.item);
    return { description: JSON.stringify(made?.item['properties']), log: JSON.stringify(lines), replaced };
  };

  it('states in its Item and its log which years are no longer shown, and how to publish all years', async () => {
    await publish(1, layerOf(2017, 2024));
    const { description, log, replaced } = await publish(2, layerOf(2021, 2022));
    const words = /replaces a version of 2017-07-01 to 2025-06-30.*Request all years together/;
    expect(description).toMatch(/Years 2021 to 2022\./);
    expect(description).toMatch(words);
    expect(log).toMatch(words);
    expect(replaced).toMatch(/^replaces a version of 2017-07-01 to 2025-06-30.*to publish all of them\.$/);
  });

  it('names tables and series in the notice only if the layer has them', async () => {
    await publish(1, layerOf(2017, 2024));
    const bare = layerOf(2021, 2022);
    const none = await publish(2, bare);
    expect([none.description, none.log]).toEqual([
      expect.stringMatching(/by a version of 2021-07-01 to 2023-06-30\. The other years of the layer are no longer/),
      expect.stringMatching(/by a version of 2021-07-01 to 2023-06-30\. The other years of the layer are no longer/),
    ]);
    const columns = [{ name: 'uid', type: 'text', description: 'uid' }] as const;
    const sheet = { tehsilId: 1, key: 'uid', columns, rows: [] };
    const others = [{ ...sheet, name: 'other', itemId: 'other' }];
    const [item] = bare.items;
    const other = { id: 'other', collectionPath: 's/d/b', item: { ...item?.item, id: 'other' } };
    await publish(3, layerOf(2017, 2024));
    const withOther = await publish(4, { ...bare, items: [...bare.items, other], tables: others });
    expect(withOther.description).toMatch(/2023-06-30\. The other years of the layer are/);
    await publish(5, layerOf(2017, 2024));
    const tables = [{ ...sheet, name: 'sheet', itemId: 'intensity' }];
    const sheets = await publish(6, { ...bare, tables });
    expect(sheets.description).toMatch(/2023-06-30\. The other years of the layer and its tables are no longer/);
    await publish(7, layerOf(2017, 2024));
    const series = [{ name: 'ndvi', tehsilId: 1, description: 'NDVI', dates: ['2021-07-01'], values: {} }];
    const both = await publish(8, { ...bare, tables, series });
    expect(both.log).toMatch(/2023-06-30\. The other years of the layer and its tables and its series/);
  });

  it('is also compared with a version under a former name', async () => {
    await publish(1, layerOf(2017, 2024));
    const { description } = await publish(2, layerOf(2018, 2024, 'intensity'));
    expect(description).toMatch(/replaces a version of 2017-07-01 to 2025-06-30/);
  });

  it('adds no notice if all years stay, or if Items have no interval', async () => {
    await publish(1, layerOf(2021, 2022));
    const again = await publish(2, layerOf(2021, 2022));
    expect(again.description).not.toMatch(/replaces/);
    expect(again.replaced).toBeUndefined();
    expect((await publish(3, layerOf(2017, 2024))).description).not.toMatch(/replaces/);
    const [made] = layerOf(2017, 2024).items;
    const properties = { datetime: '2025-01-01T00:00:00Z', description: 'A boundary.' };
    const boundary = { id: 'intensity', collectionPath: 's/d/b', item: { ...made?.item, properties } };
    expect((await publish(4, { items: [boundary], layers: [], timings: {} })).description).not.toMatch(/replaces/);
  });
});
