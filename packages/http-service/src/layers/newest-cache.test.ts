import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createNewestCache } from './newest-cache.ts';

function bench() {
  const stores = createMemoryStores();
  const found: number[] = [];
  const cache = createNewestCache(stores.catalog);
  const pathOf = (run: number): string => `s/d/t${run}`;
  const publish = async (run: number): Promise<void> => {
    const id = `0190a000-0000-7000-8000-${String(run).padStart(12, '0')}`;
    const item = { type: 'Feature', id: 'layer', bbox: [1, 2, 3, 4], properties: {}, assets: {}, links: [] };
    await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: 1 });
    const claimed = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, maxAttempts: 3, pipelines: ['p'] });
    const items = [{ id: 'layer', collectionPath: pathOf(run), item }];
    await stores.runs.publish(id, claimed?.token ?? 0, { items, layers: [], timings: {} });
  };
  const unpublish = async (run: number) => await stores.runs.unpublish({ collectionPath: pathOf(run), id: 'layer' });
  const pictured = async (): Promise<readonly string[]> => {
    const pictures = await cache.pictures(async (newest) => {
      found.push(newest.length);
      if (newest.length === 0) throw new Error('nothing is published');
      const none = { title: '', label: '', href: '', src: '' };
      return new Map(newest.map(({ collectionPath }) => [collectionPath, none]));
    });
    return [...pictures.keys()];
  };
  return { publish, unpublish, pictured, pathOf, found };
}

it('searches for pictures once, and again after a run has published or the search has failed', async () => {
  const { publish, pictured, found } = bench();
  await expect(pictured()).rejects.toThrow('nothing is published');
  await publish(1);
  expect([(await pictured()).length, (await pictured()).length]).toEqual([1, 1]);
  await publish(2);
  expect([(await pictured()).length, (await pictured()).length]).toEqual([2, 2]);
  expect(found).toEqual([0, 1, 2]);
});

it('never returns the picture of a removed layer, whether its run is among the 40 newest runs or older', async () => {
  const { publish, unpublish, pictured, pathOf, found } = bench();
  for (let run = 1; run <= 41; run++) await publish(run);
  expect(await pictured()).not.toContain(pathOf(1));
  await unpublish(1);
  expect((await pictured()).length).toBe(40);
  expect(found).toEqual([40]);
  await unpublish(20);
  expect(await pictured()).not.toContain(pathOf(20));
  expect(found).toEqual([40, 39]);
});
