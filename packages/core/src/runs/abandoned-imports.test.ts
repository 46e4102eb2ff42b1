import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, type Bench, deliverable, unavailable } from './bench.fixture.ts';

const HOUR_MS = 3_600_000;
const PIPELINE = 'import_layer:1:0123456789abcdef';
const IMPORT = { id: 'r1', pipeline: PIPELINE, params: { tehsilId: 1 }, fingerprint: PIPELINE, ownerId: 1 };

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

it('at its start and while it runs, a worker ends imports whose process died, and removes the files of these imports', async () => {
  const claim = { workerId: 'import', leaseMs: 60_000, pipelines: [PIPELINE], maxAttempts: 3 };
  await b.stores.runs.enqueue(IMPORT);
  await b.stores.runs.claim(claim);
  await b.assets.begin('r1', 1);
  b.worker({ idleMs: HOUR_MS }).start();
  await b.time.advance(0);
  expect(await b.stores.runs.get('r1')).toMatchObject({ state: 'running' });
  expect(b.assets.attempts()).toEqual(['r1/1']);
  await b.time.advance(HOUR_MS);
  expect(await b.stores.runs.get('r1')).toMatchObject({ state: 'failed', error: { code: 'unavailable' } });
  expect(b.assets.attempts()).toEqual([]);

  await b.stores.runs.enqueue({ ...IMPORT, id: 'r2' });
  await b.time.advance(10 * 60_000);
  b.worker({ idleMs: HOUR_MS, workerId: 'second' }).start();
  await b.time.advance(0);
  expect(await b.stores.runs.get('r2')).toMatchObject({ state: 'failed' });
  expect(b.log.filter(({ message }) => message === 'ended imports whose process died')).toHaveLength(2);
});

it('a worker continues if it cannot end imports whose process died, and logs the failure', async () => {
  const id = await b.start(1);
  b.worker({}, { ...b.stores.runs, endAbandonedImports: () => Promise.reject(unavailable()) }).start();
  const { finish } = await b.step();
  finish(deliverable(['a']));
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success' });
  expect(b.log.some(({ message }) => message.startsWith('could not end imports whose process died'))).toBe(true);
});
