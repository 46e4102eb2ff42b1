import { afterEach, beforeEach, expect, it } from 'vitest';
import { away, bench, type Bench, CLAIM, deliverable } from './bench.fixture.ts';
import { newRunId } from './run-id.ts';
import { ownQueue } from './own-queues.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

/** A run in the queue of a process that was killed over it. */
async function leftBehind(): Promise<string> {
  const id = newRunId(b.time.now());
  const queue = ownQueue('killed');
  await b.stores.runs.enqueue({ id, pipeline: 'test', params: { n: 3 }, fingerprint: 'same', ownerId: 1, queue });
  await b.stores.runs.claim({ ...CLAIM, queue });
  return id;
}

it('a worker takes up what a killed process has left in a queue of its own, some minutes after its lease', async () => {
  const id = await leftBehind();
  b.worker({ queue: 'nrm' }).start();
  await b.time.advance(30_000);
  expect(b.begun()).toBe(0);
  await b.time.advance(3 * 60_000);
  (await b.step()).finish(deliverable(['a']));
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success', attempt: 2, queue: 'nrm' });
  expect(b.log.filter(({ message }) => message === 'runs of processes that died were taken up')).toHaveLength(1);
});

it('a worker goes on where they cannot be looked for, and says so', async () => {
  const id = await b.start(1);
  b.worker({}, { ...b.stores.runs, adoptAbandoned: () => Promise.reject(away()) }).start();
  (await b.step()).finish(deliverable(['a']));
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success' });
  expect(b.log.some(({ message }) => message.startsWith('runs of processes that died could not be looked'))).toBe(true);
});
