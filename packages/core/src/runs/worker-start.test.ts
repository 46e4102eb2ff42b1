import { expect, test } from 'vitest';
import { createMemoryDomainStores } from '../memory/index.ts';
import type { RunStore } from '../ports/runs.ts';
import { SILENT } from '../ports/host.ts';
import { endOwnLeases } from './worker-start.ts';

const MINUTE_MS = 60_000;

async function claimed(count: number, workerOf: (n: number) => string): Promise<RunStore> {
  const { runs } = createMemoryDomainStores();
  for (let n = 0; n < count; n++) {
    await runs.enqueue({ id: `run-${n}`, pipeline: 'p', params: { n }, fingerprint: `f${n}`, ownerId: 1 });
    await runs.claim({ workerId: workerOf(n), leaseMs: MINUTE_MS, pipelines: ['p'], maxAttempts: 9 });
  }
  return runs;
}

async function due(runs: RunStore): Promise<number> {
  for (let found = 0; ; found++) {
    const run = await runs.claim({ workerId: 'next', leaseMs: MINUTE_MS, pipelines: ['p'], maxAttempts: 9 });
    if (run === undefined) return found;
  }
}

test('all runs of a killed process become claimable, even more than a thousand; runs of other processes stay claimed', async () => {
  const runs = await claimed(1300, (n) => (n % 13 === 0 ? 'other' : 'own'));
  await endOwnLeases({ runs, logger: SILENT, settings: { workerId: 'own' } });
  expect(await due(runs)).toBe(1200);
});

test('the worker misses no run if other runs end while it reads the list', async () => {
  const runs = await claimed(1300, (n) => (n >= 700 ? 'other' : 'own'));
  let reads = 0;
  const list: RunStore['list'] = async (filter) => {
    const page = await runs.list(filter);
    if ((reads += 1) === 1)
      for (const { id, token } of page.runs.slice(0, 400))
        await runs.fail(id, token, { code: 'internal', message: '' });
    return page;
  };
  await endOwnLeases({ runs: { ...runs, list }, logger: SILENT, settings: { workerId: 'own' } });
  expect(await due(runs)).toBe(700);
});
