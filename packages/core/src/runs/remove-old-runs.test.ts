import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, CLAIM, deliverable, type Bench } from './bench.fixture.ts';

const DAY_MS = 86_400_000;

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

it('an idle worker removes events except state changes after 30 days, and runs without published Items after 180 days', async () => {
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

it('the worker first lists the folders, then reads the store; so the folder of an attempt that started meanwhile stays', async () => {
  const id = await b.start(1);
  const { prune } = b.assets;
  const begun = Promise.withResolvers<void>();
  // A worker with a slow clock creates a folder, which looks old, while the folders are listed.
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

it('a run is kept until the folders of its dead attempts are removed; its events are removed earlier', async () => {
  const settings = { idleMs: 3_600_000, keepReplacedMs: 0, keepRunsMs: DAY_MS, keepEventsMs: DAY_MS };
  const id = await b.start(1);
  const run = await b.stores.runs.claim(CLAIM);
  await b.assets.begin(id, 1);
  await b.stores.runs.appendEvent(id, { kind: 'log', data: { message: 'a line' } });
  await b.stores.runs.fail(id, run?.token ?? 0, { code: 'input_data', message: 'bad' });
  await b.time.advance(2 * DAY_MS);
  let isReadOnly = true;
  const prune: typeof b.assets.prune = async (...asked) => {
    if (isReadOnly) throw new Error('EROFS: read-only file system');
    return b.assets.prune(...asked);
  };
  b.worker(settings, b.stores.runs, { ...b.assets, prune }).start();
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'failed' });
  expect((await b.stores.runs.events(id, 0, 100)).map(({ kind }) => kind)).not.toContain('log');
  expect(b.assets.attempts()).toEqual([`${id}/1`]);
  isReadOnly = false;
  await b.time.advance(3_600_000);
  expect(b.assets.attempts()).toEqual([]);
  expect(await b.stores.runs.get(id)).toBeUndefined();
});

it('a run is stored for at least one removal interval longer than its files, even with a short keepRunsMs', async () => {
  const settings = { idleMs: 30 * DAY_MS, keepReplacedMs: DAY_MS, keepRunsMs: 1 };
  const asked: number[] = [];
  const removeOld: typeof b.stores.runs.removeOld = async (ages) => {
    asked.push(ages.runsMs);
    return b.stores.runs.removeOld(ages);
  };
  b.worker(settings, { ...b.stores.runs, removeOld }).start();
  await b.time.advance(0);
  expect(asked).toEqual([DAY_MS + 3_600_000]);
});
