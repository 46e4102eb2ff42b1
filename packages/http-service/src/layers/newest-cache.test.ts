import { createMemoryStores } from '@headwater/identity/memory';
import { expect, it } from 'vitest';
import { createNewestCache } from './newest-cache.ts';

it('reads tehsils and pictures once until a run publishes, and again after an error', async () => {
  const stores = createMemoryStores();
  let runs = 0;
  const publish = async (): Promise<void> => {
    const id = `0190a000-0000-7000-8000-${String(++runs).padStart(12, '0')}`;
    const collectionPath = `s/d/t${runs}`;
    const item = { type: 'Feature', id: 'layer', bbox: [1, 2, 3, 4], properties: {}, assets: {}, links: [] };
    await stores.runs.enqueue({ id, pipeline: 'p', params: {}, fingerprint: id, ownerId: 1 });
    const claimed = await stores.runs.claim({ workerId: 'w', leaseMs: 60_000, maxAttempts: 3, pipelines: ['p'] });
    const items = [{ id: 'layer', collectionPath, item }];
    await stores.runs.publish(id, claimed?.token ?? 0, { items, layers: [], timings: {} });
  };
  const reads: string[] = [];
  const { catalog } = stores;
  const cache = createNewestCache({
    newest: (page) => catalog.newest(page),
    publishedTehsils: async () => {
      reads.push('tehsils');
      return await catalog.publishedTehsils();
    },
  });
  const pictures = async (): Promise<number> =>
    (
      await cache.pictures(async (newest) => {
        reads.push('pictures');
        if (newest.length === 0) throw new Error('nothing is published');
        return new Map(
          newest.map(({ collectionPath }) => [collectionPath, { title: '', label: '', href: '', src: '' }]),
        );
      })
    ).size;
  await expect(pictures()).rejects.toThrow('nothing is published');
  await publish();
  expect([await pictures(), await pictures(), (await cache.tehsils()).length]).toEqual([1, 1, 1]);
  await publish();
  expect([await pictures(), (await cache.tehsils()).length, (await cache.tehsils()).length]).toEqual([2, 2, 2]);
  expect(reads).toEqual(['pictures', 'pictures', 'tehsils', 'pictures', 'tehsils']);
});
