import type { PixelEngine } from '@headwater/core';
import { createMemoryAssets } from '@headwater/core/memory';
import { createMemoryStores } from '@headwater/identity/memory';
import { expect, test } from 'vitest';
import { createHeadwater, type Headwater } from '../headwater.ts';
import { createQueueWorker } from './queue-worker.ts';
import { samplePipeline } from '../layers/sample-layer.fixture.ts';

const untouched = { close: async () => {}, release: async () => {} } as Partial<PixelEngine> as PixelEngine;
const stores = createMemoryStores();
const parts = {
  stores,
  pipelines: [samplePipeline],
  compute: {
    assets: createMemoryAssets(),
    pixels: untouched,
    earthObservation: { search: async () => ({ scenes: [], rejected: [] }) },
  },
};

async function ask({ accounts, runs }: Headwater, username: string): Promise<string> {
  const user = await accounts.createSuperuser({ username, password: 'tall-river-42' });
  const [{ request }] = samplePipeline.examples;
  const { run } = await runs.start({ user }, samplePipeline, request, { overwrite: true });
  return run.id;
}

test('a worker outside of a service computes the queued runs of the service, but no runs of another queue', async () => {
  const service = createHeadwater({
    baseUrl: 'http://localhost',
    secret: 'a key for tests only, never for a real service',
    ...parts,
    compute: { ...parts.compute, worker: false },
  });
  await service.start();
  expect(service.worker).toBeUndefined();
  const id = await ask(service, 'asha');
  const other = createQueueWorker({ ...parts, settings: { queue: 'other', idleMs: 1 } });
  other.worker.start();
  await expect.poll(() => other.worker.queue.answeredAt, { interval: 2 }).toBeDefined();
  await other.close(100);
  expect(await stores.runs.get(id)).toMatchObject({ state: 'queued', attempt: 0 });
  const { worker, metrics, close } = createQueueWorker({ ...parts, settings: { idleMs: 1 }, metrics: {} });
  expect(worker.stage).toBe('not started');
  worker.start();
  await service.runs.waitFor(id, AbortSignal.timeout(30_000));
  expect(await stores.runs.get(id)).toMatchObject({ state: 'success', attempt: 1, queue: 'nrm' });
  const measured = `headwater_run_duration_seconds_count{pipeline="${samplePipeline.name}",outcome="success"} 1\n`;
  expect(await metrics?.text()).toContain(measured);
  await Promise.all([close(100), close(100)]);
  expect(worker.stage).toBe('stopped');
});

test('the worker of a service and a worker in its own process use the same setting for the removal of regions', async () => {
  const path = 'regions/custom/region_0123456789abcdef';
  const item = { type: 'Feature', id: 'map', properties: {}, assets: {} };
  const workService = { keepRegionsMs: 1 };
  const common = { baseUrl: 'http://localhost', secret: 'a key for tests only, never for a real service', workService };
  const workers = [
    (own: typeof parts) => createQueueWorker({ ...own, workService, settings: { idleMs: 1 } }),
    (own: typeof parts) => {
      const service = createHeadwater({ ...common, ...own, compute: { ...own.compute, worker: { idleMs: 1 } } });
      return { worker: { start: () => service.start() }, close: (graceMs: number) => service.close(graceMs) };
    },
  ];
  for (const [index, open] of workers.entries()) {
    const own = { ...parts, stores: createMemoryStores() };
    const { runs, catalog } = own.stores;
    await runs.enqueue({ id: `r${index}`, pipeline: 'x', params: {}, fingerprint: 'x', ownerId: null });
    const run = await runs.claim({ workerId: 'w', leaseMs: 60_000, maxAttempts: 1, pipelines: ['x'] });
    await runs.publish(`r${index}`, run?.token ?? 0, {
      items: [{ id: 'map', collectionPath: path, item }],
      layers: [],
      timings: {},
    });
    const end = Date.now();
    await expect.poll(() => Date.now() > end + 1, { interval: 1 }).toBe(true);
    expect(await catalog.collections()).toEqual([path]);
    const { worker, close } = open(own);
    await worker.start();
    await expect.poll(() => catalog.collections(), { interval: 2 }).toEqual([]);
    await close(100);
  }
});

test('a queue without a name is refused', () => {
  expect(() => createQueueWorker({ ...parts, settings: { queue: '' } })).toThrow(/is empty; give the name of a queue/);
});

test('the stores are closed even if closing the pixel engine fails', async () => {
  let isClosed = false;
  const failing: typeof untouched = { ...untouched, close: () => Promise.reject(new Error('the engine hangs')) };
  const { close } = createQueueWorker({
    ...parts,
    stores: { ...stores, close: async () => void (isClosed = true) },
    compute: { ...parts.compute, pixels: failing },
  });
  await expect(close(5)).rejects.toThrow('the engine hangs');
  expect(isClosed).toBe(true);
});
