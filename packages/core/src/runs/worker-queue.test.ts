import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, type Bench } from './bench.fixture.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

it('a worker reports its stage, and reports that its queue answers', async () => {
  const worker = b.worker();
  expect([worker.stage, worker.queue]).toEqual([
    'not started',
    { answeredAt: undefined, failing: undefined, askingSince: undefined },
  ]);
  worker.start();
  await b.time.advance(0);
  expect([worker.stage, worker.queue.answeredAt]).toEqual(['started', new Date('2026-01-01T00:00:00Z')]);
  await worker.stop({ graceMs: 0 });
  expect(worker.stage).toBe('stopped');
});

it('the worker reports failing claims with the time of the first failure, until a claim succeeds', async () => {
  const cut = b.cuttable();
  const worker = b.worker({}, cut.runs);
  worker.start();
  await b.time.advance(20_000);
  expect(worker.queue.failing).toBeUndefined();
  const before = worker.queue.answeredAt;
  cut.cut();
  await b.time.advance(60_000);
  expect(worker.queue).toMatchObject({ answeredAt: before, failing: { reason: 'the database does not answer' } });
  const since = worker.queue.failing?.since.getTime() ?? 0;
  expect(since - (before?.getTime() ?? 0)).toBeLessThan(20_000);
  await b.time.advance(60_000);
  expect(worker.queue.failing?.since.getTime()).toBe(since);
  cut.mend();
  await b.time.advance(20_000);
  expect(worker.queue.failing).toBeUndefined();
});

it('the worker reports the start time of a claim that never ends', async () => {
  const { runs } = b.stores;
  const never = new Promise<undefined>(() => {});
  const worker = b.worker({}, { ...runs, claim: () => never });
  worker.start();
  await b.time.advance(30_000);
  expect(worker.queue).toEqual({
    answeredAt: undefined,
    failing: undefined,
    askingSince: new Date('2026-01-01T00:00:00Z'),
  });
});
