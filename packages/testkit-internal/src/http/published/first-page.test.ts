import type { Deliverable, PublishedItem } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { createHeadwater, toFetchHandler } from '@headwater/http-service';
import { describe, expect, it } from 'vitest';
import { SAMPLE_SECRET } from '../fixture/sample-service.ts';

const BASE = 'http://headwater.example/geo';
const EVIL = `"><script>alert('x')</script>`;

interface ItemOptions {
  readonly title?: string;
  readonly thumbnail?: boolean;
  readonly year?: number;
}

function itemOf(collectionPath: string, id: string, options: ItemOptions = {}): Deliverable['items'][number] {
  const { title = id, thumbnail = true, year = 2021 } = options;
  const picture = {
    href: `https://base.headwater.invalid/api/v1/assets/r/1/${id}.png`,
    type: 'image/png',
    roles: ['thumbnail'],
  };
  const item: PublishedItem['item'] = {
    type: 'Feature',
    id,
    bbox: [1, 2, 3, 4],
    properties: { title, start_datetime: `${year}-07-01T00:00:00Z`, end_datetime: `${year + 1}-06-30T00:00:00Z` },
    assets: {
      data: { href: 'javascript:alert(1)', type: 'image/tiff', title: EVIL, roles: ['data'] },
      ...(thumbnail ? { thumbnail: { ...picture, description: EVIL } } : {}),
    },
    links: [{ rel: 'derived_from', href: 'javascript:alert(2)', title: EVIL }],
  };
  return { id, collectionPath, item };
}

async function world(featured = { state: 'Aland', district: 'Bland', tehsil: 'Cland' }) {
  const stores = createMemoryStores();
  const headwater = createHeadwater({ baseUrl: BASE, secret: SAMPLE_SECRET, stores, featured });
  const ask = toFetchHandler(headwater.service);
  let count = 0;
  return {
    // The test removes the prefix, as the host of a mounted service would.
    page: async (path: string): Promise<string> =>
      (
        await ask(
          new Request(`http://headwater.example${path.replace(/^\/geo/, '')}`, { headers: { accept: 'text/html' } }),
        )
      ).text(),
    publish: async (...items: Deliverable['items']): Promise<void> => {
      count += 1;
      const id = `0190a000-0000-7000-8000-${String(count).padStart(12, '0')}`;
      await stores.runs.enqueue({ id, pipeline: 'sample', params: {}, fingerprint: id, ownerId: 1 });
      const claim = { workerId: 'fixture', leaseMs: 60_000, maxAttempts: 3, pipelines: ['sample'] };
      const run = await stores.runs.claim(claim);
      await stores.runs.publish(id, run?.token ?? 0, { items, layers: [], timings: {} });
    },
  };
}

/** Linked Items, in the order of the page, each as `{collection path} {id}`. */
function linksOf(page: string): readonly string[] {
  const links = [...page.matchAll(/href="\/geo\/api\/v1\/stac\/([^"]*)\/items\/([^"/]*)\/"/g)].map(
    ([, path, id]) => `${path} ${id}`,
  );
  return [...new Set(links)];
}

describe('the first page', () => {
  it('shows the newest publication first, with each of its layers, even if a layer has no preview', async () => {
    const { publish, page } = await world();
    await publish(itemOf('a/a/a', 'first'));
    await publish(itemOf('z/z/z', 'bare', { thumbnail: false }), itemOf('z/z/z', 'pictured', { year: 2022 }));
    await publish(itemOf('m/m/m', 'newest'));
    expect(linksOf(await page('/geo/'))).toEqual(['m/m/m newest', 'z/z/z pictured', 'z/z/z bare', 'a/a/a first']);
    // A layer that is published again must be the newest layer.
    await publish(itemOf('a/a/a', 'first'));
    expect(linksOf(await page('/geo/'))[0]).toBe('a/a/a first');
  });

  it('keeps the featured place after many later publications; the first page and the pages after it together link every Item', async () => {
    const { publish, page } = await world();
    await publish(
      itemOf('aland/bland/cland', 'sample'),
      itemOf('aland/bland/cland', 'sample_vector', { thumbnail: false }),
    );
    const ids = Array.from({ length: 30 }, (_, index) => `later_${index}`);
    for (const id of ids) await publish(itemOf(`b/b/${id}`, id));
    let text = await page('/geo/');
    expect(linksOf(text)).toHaveLength(12 + 2);
    expect(linksOf(text)[0]).toBe('b/b/later_29 later_29');
    expect(linksOf(text)).toContain('aland/bland/cland sample_vector');
    const seen = new Set(linksOf(text));
    for (let next = nextOf(text); next !== undefined; next = nextOf(text)) {
      text = await page(`/geo/${next}`);
      expect(text).toContain('href="/geo/"');
      for (const link of linksOf(text)) seen.add(link);
    }
    expect(seen.size).toBe(30 + 2);
  });

  it('shows no image of another server, because the content security policy would block it', async () => {
    const { publish, page } = await world();
    const remote = itemOf('a/a/a', 'far');
    const picture = { href: 'https://elsewhere.example/p.png', type: 'image/png', roles: ['thumbnail'] };
    await publish({ ...remote, item: { ...remote.item, assets: { thumbnail: picture } } });
    for (const path of ['/geo/', '/geo/api/v1/stac/a/a/a/', '/geo/api/v1/stac/a/a/a/items/far/'])
      expect(await page(path)).not.toContain('src="https://elsewhere');
    expect(await page('/geo/')).toContain('No preview');
  });

  it('reports that nothing is published', async () => {
    const { page } = await world();
    expect(await page('/geo/')).toContain('Nothing is published yet');
    expect(await page('/geo/api/v1/stac/')).toContain('Nothing is published here yet');
  });
});

describe('the page of a tehsil', () => {
  it('shows the period of the layers that have a period, not the publication date of the other layers', async () => {
    const { publish, page } = await world();
    const { item, ...undated } = itemOf('a/a/a', 'drainage');
    const published = { ...item, properties: { title: 'Drainage', datetime: '2026-11-22T00:00:00Z' } };
    await publish(itemOf('a/a/a', 'y2021'), itemOf('a/a/a', 'y2022', { year: 2022 }));
    await publish({ ...undated, item: published });
    const text = (await page('/geo/api/v1/stac/a/a/a/')).replace(/\s+/g, ' ');
    expect(text).toContain('<dt>Time of these layers</dt> <dd>1 July 2021 to 30 June 2023</dd>');
    expect(text).toContain('<dt>Extent of the layers</dt>');
    await publish({ ...undated, collectionPath: 'b/b/b', item: published });
    for (const path of ['b/b/b', 'b/b', 'a']) {
      const other = await page(`/geo/api/v1/stac/${path}/`);
      expect(other).toContain('Extent of the layers');
      expect(other).not.toContain('Time of these layers');
    }
  });
});

describe('untrusted text', () => {
  it('is always escaped, and never becomes a link that runs a script', async () => {
    const { publish, page } = await world();
    await publish(itemOf('a/a/a', 'evil', { title: EVIL }));
    for (const path of ['/geo/', '/geo/api/v1/stac/a/a/a/', '/geo/api/v1/stac/a/a/a/items/evil/']) {
      const text = await page(path);
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toContain('<script>alert');
      expect(text).not.toMatch(/(?:href|src)="javascript:/);
    }
    const problem = await page(`/geo/api/v1/stac/${encodeURIComponent('<b>place')}/`);
    expect(problem).toContain('&lt;b&gt;place');
    expect(problem).not.toContain('<b>place');
  });
});

describe('long lists', () => {
  it('of the Items of a place are paged, with the latest year first', async () => {
    const { publish, page } = await world();
    await publish(
      ...Array.from({ length: 70 }, (_, index) => itemOf('a/a/a', `of_${1930 + index}`, { year: 1930 + index })),
    );
    const [first, second] = [await page('/geo/api/v1/stac/a/a/a/'), await page('/geo/api/v1/stac/a/a/a/?page=2')];
    expect([linksOf(first).length, linksOf(first)[0], nextOf(first)]).toEqual([60, 'a/a/a of_1999', '?page=2']);
    expect([linksOf(second).length, linksOf(second).at(-1), nextOf(second)]).toEqual([10, 'a/a/a of_1930', undefined]);
  });

  it('of places are paged too', async () => {
    const { publish, page } = await world();
    await publish(...Array.from({ length: 61 }, (_, index) => itemOf(`s${index}/d/t`, `one_${index}`)));
    const [first, second] = [await page('/geo/api/v1/stac/'), await page('/geo/api/v1/stac/?page=2')];
    expect(first).toContain('1 to 60 of 61');
    expect(
      [first, second].map((text) => [...text.matchAll(/<li><a href="\/geo\/api\/v1\/stac\/s\d+\/"/g)].length),
    ).toEqual([60, 1]);
  });
});

function nextOf(page: string): string | undefined {
  return /rel="next" href="([^"]*)"/.exec(page)?.[1];
}
