import { createMemoryStores } from '@headwater/identity/memory';
import { describe, expect, it } from 'vitest';
import { withOwnQueue } from './own-queue.ts';

const claim = { workerId: 'w', leaseMs: 1000, pipelines: ['lulc'], maxAttempts: 3 };
const run = (id: string, fingerprint: string) => ({
  id: `0190a000-0000-7000-8000-00000000000${id}`,
  pipeline: 'lulc',
  params: {},
  fingerprint,
  ownerId: null,
});

describe('stores with their own queue', () => {
  it('claim no run before their run is queued; afterwards they claim only that run and the runs that it needs', async () => {
    const stores = createMemoryStores();
    await stores.runs.enqueue(run('1', 'theirs'));
    const own = withOwnQueue(stores);
    expect(await own.runs.claim(claim)).toBeUndefined();
    const stored = await own.runs.enqueue(run('2', 'ours'), { dependencies: [run('3', 'needed')] });
    expect(stored.run.queue).toMatch(/^algorithm-[0-9a-f]{40}$/);
    const taken = [await own.runs.claim(claim), await own.runs.claim(claim), await own.runs.claim(claim)];
    expect(new Set(taken.map((each) => each?.fingerprint))).toEqual(new Set(['needed', 'ours', undefined]));
    expect(await stores.runs.claim({ ...claim, queue: 'nrm' })).toMatchObject({ fingerprint: 'theirs' });
  });

  it('continue the work of a killed process that had the same request', async () => {
    const stores = createMemoryStores();
    const killed = withOwnQueue(stores);
    await killed.runs.enqueue(run('1', 'ours'));
    const next = withOwnQueue(stores);
    expect(await next.runs.enqueue(run('2', 'ours'))).toMatchObject({ joined: true, run: { id: run('1', '').id } });
    expect(await next.runs.claim(claim)).toMatchObject({ id: run('1', '').id });
  });

  it('do not adopt an abandoned run; a worker of the service adopts it', async () => {
    let nowMs = 0;
    const stores = createMemoryStores({ clock: { now: () => new Date(nowMs) } });
    const killed = withOwnQueue(stores);
    await killed.runs.enqueue(run('1', 'ours'));
    await killed.runs.claim(claim);
    nowMs += 3_600_000;
    const adoption = { queue: 'nrm', pipelines: ['lulc'], silentMs: 60_000 };
    expect(await withOwnQueue(stores).runs.adoptAbandoned(adoption)).toBe(0);
    expect(await stores.runs.adoptAbandoned(adoption)).toBe(1);
    expect(await stores.runs.claim({ ...claim, queue: 'nrm' })).toMatchObject({ id: run('1', '').id, attempt: 2 });
  });
});
