import { DRAINING_UNTIL } from '@headwater/core/runs';
import { createMemoryStores } from '@headwater/identity/memory';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { DRAIN_CACHE_MS, drainedRuns } from './draining.ts';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

const RUN = { id: 'r', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 } as const;
const CLAIM = { workerId: 'w', leaseMs: 60_000, maxAttempts: 3, pipelines: ['p'], queue: 'nrm', mostUnowned: 1 };

/**
 * Creates stores that read the end of a drain slowly. The first `reads` calls wait: call n, from 0, returns after
 * `answer(n)`, which advances the clock by `DRAIN_CACHE_MS`.
 */
async function slowStores(reads: number) {
  const { runs, installation } = createMemoryStores();
  await runs.enqueue(RUN);
  const held = Array.from({ length: reads }, () => Promise.withResolvers<void>());
  let asked = 0;
  const read = async (name: string): Promise<string | undefined> => {
    const text = await installation.read(name);
    await held[asked++]?.promise;
    return text;
  };
  const answer = async (n: number): Promise<void> => {
    await vi.waitFor(() => expect(asked).toBe(n + 1));
    vi.advanceTimersByTime(DRAIN_CACHE_MS);
    held[n]?.resolve();
  };
  return { runs: drainedRuns(runs, { read }), installation, answer };
}

it('claims no run if a drain begins before the answer to an earlier read has arrived', async () => {
  const { runs, installation, answer } = await slowStores(1);
  const claimed = runs.claim(CLAIM);
  const answered = answer(0);
  await installation.write(DRAINING_UNTIL, new Date(Date.now() + 60_000).toISOString());
  await answered;
  expect(await claimed).toBeUndefined();
});

it('claims a run if the first read takes too long, but the second read does not', async () => {
  const { runs, answer } = await slowStores(1);
  const claimed = runs.claim(CLAIM);
  await answer(0);
  expect(await claimed).toMatchObject({ id: 'r' });
});

it('gives up a claim if the database answers too slowly; a new run is still stored', async () => {
  const { runs, answer } = await slowStores(6);
  const claimed = runs.claim(CLAIM);
  for (const n of [0, 1, 2]) await answer(n);
  expect(await claimed).toBeUndefined();
  const stored = runs.enqueue({ ...RUN, id: 's', fingerprint: 'g' });
  for (const n of [3, 4, 5]) await answer(n);
  expect(await stored).toMatchObject({ run: { id: 's' } });
});
