import type { SceneUse } from '@headwater/core/ports';
import { createMemoryStores } from '@headwater/identity/memory';
import { assert, expect, it } from 'vitest';
import { sceneUsageOf } from './scene-usage.ts';

const AT = '2026-11-29T00:00:00.000Z';
const COUNTS = { requests: 1, pixels: 2, bytes: 3 };

/** `counts`: the counts of the attempt. `change`: the result of reading the computing time. */
async function usageOf(counts: typeof COUNTS, change: Pick<SceneUse, 'eecuSeconds' | 'problem' | 'dueAt'>) {
  const stores = createMemoryStores();
  const params = { eoAccountId: 7 };
  await stores.runs.enqueue({ id: 'a', pipeline: 'p', params, fingerprint: 'a', ownerId: 1 });
  const use = {
    runId: 'a',
    accountId: 7,
    project: 'project',
    workloadTag: 'headwater-run-a',
    startedAt: AT,
    dueAt: AT,
  };
  await stores.sceneUses.begin(use);
  await stores.sceneUses.end('a', counts);
  const claimed = await stores.sceneUses.claim(new Date(AT), 1000);
  assert(claimed !== undefined);
  await stores.sceneUses.save(claimed, { reads: 1, ...change });
  const run = await stores.runs.get('a');
  assert(run !== undefined);
  return await sceneUsageOf(run, { stores });
}

it.each([
  [{ eecuSeconds: 1, problem: null, dueAt: null }, true, null],
  [{ eecuSeconds: 1, problem: null, dueAt: AT }, false, null],
  [{ eecuSeconds: 1, problem: 'HTTP 503', dueAt: AT }, false, 'HTTP 503'],
  [{ eecuSeconds: 1, problem: 'HTTP 503', dueAt: null }, false, 'HTTP 503'],
  [{ eecuSeconds: null, problem: 'HTTP 403', dueAt: null }, false, 'HTTP 403'],
])(
  'shows a computing time as final only if the last read found it and none follows: %j',
  async (change, isFinal, reason) => {
    const { eecuSeconds } = change;
    const wanted = { requests: 1, eecu_seconds: eecuSeconds, eecu_final: isFinal, eecu_reason: reason };
    expect(await usageOf(COUNTS, change)).toMatchObject(wanted);
  },
);

it('shows no usage for a run whose attempts ended without a request', async () => {
  const counts = { requests: 0, pixels: 0, bytes: 0 };
  expect(await usageOf(counts, { eecuSeconds: null, problem: null, dueAt: null })).toBeNull();
});
