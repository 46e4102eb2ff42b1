import { expect } from 'vitest';
import { createSampleService } from '../fixture/sample-service.ts';
import { publishSearchWorld, TIE_COLLECTION } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import { hrefOf, type ItemsPage, STAC_API, type StacClient } from './stac-api-client.ts';

function hrefsIn(value: unknown, at = ''): readonly (readonly [string, unknown])[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, each]): readonly (readonly [string, unknown])[] =>
    name === 'href' || name === '$id' ? [[`${at}/${name}`, each]] : hrefsIn(each, `${at}/${name}`),
  );
}

/** Addresses of other sites, which need not begin with the base URL. */
const ELSEWHERE = /^https:\/\/(?:spdx\.org|stac-extensions\.github\.io)\//;

/** Test cases of the links of every document. */
export function stacLinkCases(target: HttpTarget, client: StacClient): void {
  defineCase(
    target,
    'below a prefix every address begins with the configured base URL, regardless of Host and proxy headers',
    async () => {
      const base = 'https://maps.example/prefix';
      const headwater = await createSampleService({ baseUrl: base });
      await publishSearchWorld(headwater);
      const host = await target.start({ mounts: [{ service: headwater.service, prefix: '/prefix' }] });
      const headers = {
        'x-forwarded-host': 'evil.example, other.example',
        'x-forwarded-proto': 'gopher',
        'x-forwarded-prefix': '/twice',
        forwarded: 'host=evil.example;proto=ftp',
      };
      let seen = 0;
      const checkHrefs = async (path: string, init: RequestInit = {}): Promise<void> => {
        const answer = await fetch(`${host.url}/prefix${STAC_API}${path}`, {
          ...init,
          headers: { ...headers, ...(init.body === undefined ? {} : { 'content-type': 'application/json' }) },
        });
        expect([path, answer.status]).toEqual([path, 200]);
        for (const [at, href] of hrefsIn(await answer.json())) {
          seen += 1;
          expect([path, at, typeof href]).toEqual([path, at, 'string']);
          const text = String(href);
          if (ELSEWHERE.test(text)) continue;
          expect(text.startsWith(`${base}/`), `${path} ${at} ${text}`).toBe(true);
          expect(text.slice('https://'.length), `${path} ${at}`).not.toMatch(
            /\/\/|undefined|null|\[object|evil|:\d+\/|\s/,
          );
        }
      };
      try {
        const collection = `collections/${TIE_COLLECTION}`;
        for (const path of [
          '',
          'collections',
          'collections?limit=1',
          collection,
          `${collection}/children`,
          `${collection}/queryables`,
          `${collection}/items?limit=1`,
          'children',
          'queryables',
          'search',
          'search?limit=1&datetime=../2024-01-01T00:00:00%2B05:30',
        ])
          await checkHrefs(path);
        await checkHrefs('search', { method: 'POST', body: '{"limit":1}' });
        expect(seen).toBeGreaterThan(150);
      } finally {
        await host.close();
        await headwater.close();
      }
    },
  );

  defineCase(target, 'the link self is the requested address', async () => {
    const collection = `collections/${TIE_COLLECTION}`;
    const odd =
      'search?limit=2&datetime=2019-08-01T00:00:00%2B05:30&filter=title%20LIKE%20%27100%25%27&collections=a,b';
    for (const path of [
      '',
      'collections',
      'collections?limit=3',
      collection,
      `${collection}/items`,
      `${collection}/items?limit=1`,
      'children',
      'search',
      odd,
    ]) {
      const document = await client.read<ItemsPage>(path);
      expect(hrefOf(document, 'self')).toBe(`http://headwater.example${STAC_API}${path}`);
      expect(hrefOf(document, 'root')).toBe(`http://headwater.example${STAC_API}`);
    }
    for (const path of [collection, `${collection}/items`])
      expect(hrefOf(await client.read<ItemsPage>(path), 'parent')).toMatch(/^http/);
  });

  defineCase(target, 'the links self and next encode characters that are invalid in addresses', async () => {
    const { features, links } = await client.search({ limit: '1', filter: `title <> '{"<>|नदी^\`\\'` });
    expect(features).toHaveLength(1);
    for (const { href } of links) expect(href).toMatch(/^[!-~]+$/);
    const pages = await client.follow(await client.search({ limit: '3', filter: `title <> 'a&b=c#d+e%41'` }));
    expect(pages.flat()).toHaveLength(8);
  });

  defineCase(target, 'the link next of a POST repeats the body with a token and without unknown members', async () => {
    const search = {
      limit: 3,
      collections: [TIE_COLLECTION],
      datetime: '2019-01-01T00:00:00+05:30/..',
      sortby: [{ field: 'id', direction: 'desc' }],
    };
    const first = await client.post({ ...search, unknown_member: [{ a: 1 }], toString: 1 });
    const next = first.links.find(({ rel }) => rel === 'next');
    expect(next).toMatchObject({ method: 'POST', merge: false, body: search, type: 'application/geo+json' });
    expect(Object.keys(next?.body ?? {}).toSorted()).toEqual([...Object.keys(search), 'token'].toSorted());
    expect(hrefOf(first, 'self')).toBe(next?.href);
    const answer = await client.send('search', jsonInit(next?.body));
    const second = (await answer.json()) as ItemsPage;
    expect(second.features.map(({ id }) => id)).toHaveLength(2);
    expect(second.links.some(({ rel }) => rel === 'next')).toBe(false);
  });
}
