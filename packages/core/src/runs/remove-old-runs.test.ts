import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, CLAIM, deliverable, type Bench } from './bench.fixture.ts';

const DAY_MS = 86_400_000;

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

it('a worker removes events after 30 days and runs after 180, while it has nothing else to do', async () => {
  const settings = { idleMs: DAY_MS };
  const first = b.worker(settings);
  first.start();
  const [old, shown] = [await b.start(1), await b.start(2)];
  for (const note of ['first', 'second']) {
    const { context, finish } = await b.step();
    context.log('a line');
    await b.time.advance(1000);
    finish(deliverable(['a'], note));
    await b.time.advance(0);
  }
  const kinds = async (id: string): Promise<string> =>
    [...new Set((await b.stores.runs.events(id, 0, 100)).map(({ kind }) => kind))].join();
  await first.stop({ graceMs: 0 });
  await b.time.advance(29 * DAY_MS);
  const second = b.worker(settings);
  second.start();
  await b.time.advance(0);
  expect(await kinds(old)).toBe('state,log');
  await b.time.advance(2 * DAY_MS);
  expect([await kinds(old), await kinds(shown)]).toEqual(['state', 'state']);
  await second.stop({ graceMs: 0 });
  await b.time.advance(148 * DAY_MS);
  b.worker(settings).start();
  await b.time.advance(0);
  expect(await b.stores.runs.get(old)).toMatchObject({ state: 'success' });
  await b.time.advance(2 * DAY_MS);
  expect(await b.stores.runs.get(old)).toBeUndefined();
  expect(await b.stores.runs.get(shown)).toMatchObject({ state: 'success' });
  expect(b.assets.attempts()).toEqual([`${shown}/1`]);
});

it('folders are removed by what the store says after they were listed: one that began meanwhile stays', async () => {
  const id = await b.start(1);
  const { prune } = b.assets;
  const begun = Promise.withResolvers<void>();
  // Another worker, whose machine has an earlier clock, begins while the folders are listed.
  const assets = {
    ...b.assets,
    prune: async (isDead: Parameters<typeof prune>[0]) => {
      await b.stores.runs.claim(CLAIM);
      await b.assets.begin(id, 1);
      begun.resolve();
      return prune(isDead, new Date(Infinity));
    },
  };
  b.worker({}, b.stores.runs, { ...assets, prune: (isDead) => assets.prune(isDead) }).start();
  await begun.promise;
  await b.time.advance(0);
  expect(b.assets.attempts()).toEqual([`${id}/1`]);
});
