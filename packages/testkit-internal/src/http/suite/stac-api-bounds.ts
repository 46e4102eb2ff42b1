import { MAX_PAGE_BYTES } from '@headwater/core/search';
import { beforeAll, describe, expect } from 'vitest';
import { CROWD, CROWD_COLLECTION, LARGE_COLLECTION, publishCrowd } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import type { ItemsPage, StacClient } from './stac-api-client.ts';

const nextOf = ({ links }: ItemsPage): string => links.find(({ rel }) => rel === 'next')?.href ?? '';

/** Test cases of page sizes and limits. */
export function stacBoundCases(target: HttpTarget, client: StacClient): void {
  describe('with more Items than a page holds', () => {
    beforeAll(async () => {
      await publishCrowd(client.harness().service);
    });

    defineCase(target, 'the default page size is 100, by GET and by POST', async () => {
      const collections = CROWD_COLLECTION;
      for (const page of [await client.search({ collections }), await client.post({ collections: [collections] })]) {
        expect([page.numberReturned, page.features.length]).toEqual([100, 100]);
        expect((await client.follow(page)).map((ids) => ids.length)).toEqual([100, CROWD - 100]);
      }
      const items = await client.read<ItemsPage>(`collections/${collections}/items`);
      expect([items.features.length, (await client.read<ItemsPage>(nextOf(items))).features.length]).toEqual([
        100,
        CROWD - 100,
      ]);
    });

    defineCase(target, 'a limit above the maximum is treated as the maximum', async () => {
      const collections = CROWD_COLLECTION;
      const pages = [
        await client.search({ collections, limit: '10001' }),
        await client.post({ collections: [collections], limit: 10_001 }),
        await client.read<ItemsPage>(`collections/${collections}/items?limit=10001`),
      ];
      for (const page of pages) expect([page.features.length, nextOf(page)]).toEqual([CROWD, '']);
    });

    defineCase(target, 'a page of large Items ends at 8 MiB, and its next link returns the rest', async () => {
      const query = `search?collections=${LARGE_COLLECTION}&limit=100`;
      const answer = await client.send(query);
      const text = await answer.text();
      expect(answer.status).toBe(200);
      // Only two of three large Items fit into the page.
      expect(Buffer.byteLength(text)).toBeLessThanOrEqual(MAX_PAGE_BYTES);
      expect(Buffer.byteLength(text) * 1.5).toBeGreaterThan(MAX_PAGE_BYTES);
      const page: ItemsPage = JSON.parse(text);
      expect([page.numberReturned, page.numberMatched]).toEqual([2, 3]);
      const last = await client.read<ItemsPage>(nextOf(page));
      expect([last.numberReturned, nextOf(last)]).toEqual([1, '']);
      expect(new Set([...page.features, ...last.features].map(({ id }) => id)).size).toBe(3);
    });

    defineCase(target, 'Collections cannot be written through the API', async () => {
      for (const [method, path] of [
        ['POST', 'collections'],
        ['PUT', `collections/${CROWD_COLLECTION}`],
        ['PATCH', `collections/${CROWD_COLLECTION}`],
        ['DELETE', `collections/${CROWD_COLLECTION}`],
      ] as const) {
        const answer = await client.send(path, { ...jsonInit({ type: 'Collection', id: 'x' }), method });
        expect([method, answer.status, answer.headers.get('allow')]).toEqual([
          method,
          405,
          expect.stringContaining('GET'),
        ]);
        expect(await answer.json()).toMatchObject({ code: 'method_not_allowed', description: expect.any(String) });
      }
      const { conformsTo } = await client.read<{ conformsTo: readonly string[] }>('conformance');
      expect(conformsTo.filter((each) => each.includes('transaction'))).toEqual([]);
    });
  });
}
