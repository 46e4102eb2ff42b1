import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Deliverable } from '../ports/runs.ts';
import { bench, type Bench } from './bench.fixture.ts';

/** A layer of hydrological years. */
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

describe('a layer of years that replaces one of more years', () => {
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
    return { description: JSON.stringify(made?.item['properties']), log: JSON.stringify(lines) };
  };

  it('says in its Item and in its log which time goes, and how to have all of it', async () => {
    await publish(1, layerOf(2017, 2024));
    const { description, log } = await publish(2, layerOf(2021, 2022));
    const words = /replaces a version of 2017-07-01 to 2025-06-30.*Ask for all years in one request/;
    expect(description).toMatch(/Years 2021 to 2022\./);
    expect(description).toMatch(words);
    expect(log).toMatch(words);
  });

  it('says so of a version that had a former name', async () => {
    await publish(1, layerOf(2017, 2024));
    const { description } = await publish(2, layerOf(2018, 2024, 'intensity'));
    expect(description).toMatch(/replaces a version of 2017-07-01 to 2025-06-30/);
  });

  it('says nothing where all of those years stay, or where Items have no interval', async () => {
    await publish(1, layerOf(2021, 2022));
    expect((await publish(2, layerOf(2021, 2022))).description).not.toMatch(/replaces/);
    expect((await publish(3, layerOf(2017, 2024))).description).not.toMatch(/replaces/);
    const [made] = layerOf(2017, 2024).items;
    const properties = { datetime: '2025-01-01T00:00:00Z', description: 'A boundary.' };
    const boundary = { id: 'intensity', collectionPath: 's/d/b', item: { ...made?.item, properties } };
    expect((await publish(4, { items: [boundary], layers: [], timings: {} })).description).not.toMatch(/replaces/);
  });
});
