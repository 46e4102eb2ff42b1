import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, CLAIM, deliverable, type Bench } from './bench.fixture.ts';

const DAY_MS = 86_400_000;
const path = (index: number): string => `regions/custom/region_${String(index).padStart(16, '0')}`;

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

async function publish(index: number): Promise<string> {
  const id = await b.start(index);
  const run = await b.stores.runs.claim(CLAIM);
  await b.assets.begin(id, 1);
  await b.assets.write(id, 1, 'map.tif', 'pixels');
  const { items, ...rest } = deliverable([`item_${index}`]);
  const moved = items.map((item) => ({ ...item, collectionPath: path(index) }));
  await b.stores.runs.publish(id, run?.token ?? 0, { ...rest, items: moved, layers: [] });
  return id;
}

it('an idle worker removes all regions that are older than 30 days, with their files; newer regions stay', async () => {
  const old: string[] = [];
  for (let index = 0; index < 120; index += 1) old.push(await publish(index));
  await b.time.advance(29 * DAY_MS);
  const recent = await publish(500);
  b.worker({ idleMs: 60 * DAY_MS }).start();
  await b.time.advance(0);
  expect(b.assets.attempts()).toHaveLength(121);
  await b.time.advance(2 * DAY_MS);
  expect(b.assets.attempts()).toEqual([`${recent}/1`]);
  expect(await b.stores.catalog.collections()).toEqual([path(500)]);
  expect(await b.stores.runs.get(old[0] ?? '')).toMatchObject({ state: 'success' });
});

it('with keepRegionsMs 0 regions are never removed', async () => {
  const id = await publish(1);
  await b.time.advance(300 * DAY_MS);
  b.worker({ idleMs: 400 * DAY_MS, keepRegionsMs: 0 }).start();
  await b.time.advance(2 * DAY_MS);
  expect(b.assets.attempts()).toEqual([`${id}/1`]);
});

it('if the files of a removed region cannot be removed, a later check of the folders removes them', async () => {
  await publish(1);
  await b.time.advance(31 * DAY_MS);
  let isReadOnly = true;
  const discard: typeof b.assets.discard = async (...attempt) => {
    if (isReadOnly) throw new Error('EROFS: read-only file system');
    return b.assets.discard(...attempt);
  };
  const prune: typeof b.assets.prune = async (...asked) => (isReadOnly ? 0 : b.assets.prune(...asked));
  b.worker({ idleMs: 60 * DAY_MS }, b.stores.runs, { ...b.assets, discard, prune }).start();
  await b.time.advance(0);
  expect(await b.stores.catalog.collections()).toEqual([]);
  expect(b.assets.attempts()).toHaveLength(1);
  isReadOnly = false;
  await b.time.advance(3_600_000);
  expect(b.assets.attempts()).toEqual([]);
});
