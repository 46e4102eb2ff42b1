import { afterEach, beforeEach, expect, it } from 'vitest';
import { bench, type Bench, CLAIM, deliverable, unavailable } from './bench.fixture.ts';
import { newRunId } from './run-id.ts';
import { ownQueue } from './own-queues.ts';

let b: Bench;
beforeEach(() => {
  b = bench();
});
afterEach(() => b.stopAll());

async function leftBehind(): Promise<string> {
  const id = newRunId(b.time.now());
  const queue = ownQueue('killed');
  await b.stores.runs.enqueue({ id, pipeline: 'test', params: { n: 3 }, fingerprint: 'same', ownerId: 1, queue });
  await b.stores.runs.claim({ ...CLAIM, queue });
  return id;
}

it('some minutes after the leases have ended, a worker adopts the runs in the own queue of a killed process', async () => {
  const id = await leftBehind();
  b.worker({ queue: 'nrm' }).start();
  await b.time.advance(30_000);
  expect(b.begun()).toBe(0);
  await b.time.advance(3 * 60_000);
  (await b.step()).finish(deliverable(['a']));
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success', attempt: 2, queue: 'nrm' });
  expect(
    b.log.filter(({ message }) => message === 'moved runs of dead processes to the queue of this worker'),
  ).toHaveLength(1);
});

it('a worker continues if it cannot adopt runs of dead processes, and logs the failure', async () => {
  const id = await b.start(1);
  b.worker({}, { ...b.stores.runs, adoptAbandoned: () => Promise.reject(unavailable()) }).start();
  (await b.step()).finish(deliverable(['a']));
  await b.time.advance(0);
  expect(await b.stores.runs.get(id)).toMatchObject({ state: 'success' });
  expect(b.log.some(({ message }) => message.startsWith('could not move runs of dead processes'))).toBe(true);
});
