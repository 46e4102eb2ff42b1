import { buildOperations } from '@headwater/http-service';
import { validateItem } from '@headwater/stac';
import { expect } from 'vitest';
import { DATELINE_COLLECTION, PATHS, TIE_COLLECTION, TIES } from '../fixture/search-world.ts';
import { SAMPLE_PIPELINES } from '../fixture/sample-service.ts';
import type { HttpTarget } from '../targets/target.ts';
import { BASE, hrefOf, type ItemsPage, type Link, type StacClient, STAC_API } from './stac-api-client.ts';
import { defineCase, sendRaw } from './harness.ts';

interface Node {
  readonly id: string;
  readonly type: string;
  readonly links: readonly Link[];
}

const isOfTree = ({ rel }: Link): boolean => ['root', 'self', 'parent', 'collection'].includes(rel);

/** Test cases of the landing page, Collections and Items. */
export function stacBrowsingCases(target: HttpTarget, client: StacClient): void {
  const { read, send } = client;

  defineCase(
    target,
    'the landing page has the conformance classes of /conformance and a link to each part of the API',
    async () => {
      const landing = await read<Node & { readonly conformsTo: readonly string[] }>('');
      expect(await read(hrefOf(landing, 'conformance'))).toEqual({ conformsTo: landing.conformsTo });
      expect(landing.conformsTo).toEqual(expect.arrayContaining(['https://api.stacspec.org/v1.0.0/core']));
      expect(hrefOf(landing, 'self')).toBe(BASE + STAC_API);
      expect(hrefOf(landing, 'data')).toMatch(/\/collections$/);
      const searches = landing.links.filter(({ rel }) => rel === 'search');
      expect(searches.map(({ method }) => method)).toEqual(['GET', 'POST']);
      expect(new Set(searches.map(({ href }) => href)).size).toBe(1);
    },
  );

  defineCase(target, 'the service description has the media type of its link', async () => {
    const { links } = await read<Node>('');
    const link = links.find(({ rel }) => rel === 'service-desc');
    const answer = await send(link?.href ?? '', { headers: { accept: link?.type ?? '' } });
    expect(answer.headers.get('content-type')).toBe(link?.type);
    const document: unknown = await answer.json();
    const own = buildOperations(SAMPLE_PIPELINES).filter(({ tag }) => tag === 'stac-api');
    expect(own.length).toBeGreaterThan(10);
    const described = Object.keys(Object(Reflect.get(Object(document), 'paths')));
    expect(described).toEqual(expect.arrayContaining(own.map(({ path }) => path.replaceAll(/:(\w+)/g, '{$1}'))));
  });

  defineCase(target, 'every Item has a link in the tree and is found by its id', async () => {
    const seen: string[] = [];
    const walk = async (href: string): Promise<void> => {
      const { links } = await read<Node>(href);
      for (const link of links) {
        if (link.rel === 'child') await walk(link.href);
        if (link.rel !== 'item') continue;
        const answer = await send(link.href);
        expect(answer.headers.get('content-type')).toMatch(/^application\/geo\+json/);
        const item = (await answer.json()) as ItemsPage['features'][number];
        expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
        const found = await client.search({ ids: item.id, collections: item.collection });
        expect(found.features.map(({ id }) => id)).toEqual([item.id]);
        expect(found.features[0]).toEqual(item);
        seen.push(item.id);
      }
    };
    await walk('');
    expect(seen).toHaveLength(2 + TIES.length + 1);
    expect((await client.search({})).numberMatched).toBe(seen.length);
  });

  defineCase(target, '/children returns the documents of the child links', async () => {
    for (const start of ['', 'collections/sample_state', 'collections/sample_state_sample_district']) {
      const node = await read<Node>(start);
      const { children, links } = await read<{ readonly children: readonly Node[]; readonly links: readonly Link[] }>(
        hrefOf(node, 'children'),
      );
      const own = node.links.filter(({ rel }) => rel === 'child');
      expect(children).toEqual(await Promise.all(own.map(({ href }) => read(href))));
      expect(children.length).toBeGreaterThan(0);
      expect(hrefOf({ links }, 'self')).toBe(hrefOf(node, 'children'));
      expect(hrefOf({ links }, 'parent')).toBe(hrefOf(node, 'self'));
    }
  });

  defineCase(target, '/collections is paged, and its pages contain the total number of Collections', async () => {
    const ids: string[] = [];
    let href: string | undefined = `${BASE}${STAC_API}collections?limit=2`;
    while (href !== undefined) {
      const page: { collections: Node[]; links: Link[]; numberMatched: number; numberReturned: number } =
        await read(href);
      expect(page.collections.length).toBeLessThanOrEqual(2);
      expect([page.numberReturned, page.numberMatched]).toEqual([page.collections.length, 9]);
      expect(hrefOf(page, 'self')).toBe(href);
      ids.push(...page.collections.map(({ id }) => id));
      href = page.links.find(({ rel }) => rel === 'next')?.href;
    }
    expect(new Set(ids).size).toBe(9);
    expect(ids).toEqual(expect.arrayContaining(['sample_state', TIE_COLLECTION, DATELINE_COLLECTION]));
    const beyond = await read<{ readonly collections: readonly Node[] }>('collections?limit=1000000');
    expect(beyond.collections).toHaveLength(9);
  });

  defineCase(target, 'Collections are found by bbox, time, ids and words', async () => {
    const found = async (query: Readonly<Record<string, string>>): Promise<readonly string[]> => {
      const text = new URLSearchParams(query).toString();
      const { collections } = await read<{ readonly collections: readonly Node[] }>(`collections?${text}`);
      return collections.map(({ id }) => id);
    };
    expect(await found({ bbox: '179.5,-17,-179.5,-16' })).toEqual([
      'ocean_state',
      'ocean_state_ocean_district',
      DATELINE_COLLECTION,
    ]);
    expect(await found({ datetime: '../2020-01-01T00:00:00Z' })).toContain(TIE_COLLECTION);
    expect(await found({ datetime: '../2020-01-01T00:00:00Z' })).not.toContain(DATELINE_COLLECTION);
    expect(await found({ ids: `${TIE_COLLECTION},nowhere` })).toEqual([TIE_COLLECTION]);
    expect(await found({ q: 'Dateline' })).toEqual([DATELINE_COLLECTION]);
    const wrong = await send('collections?limit=0');
    expect([wrong.status, await wrong.json()]).toMatchObject([400, { errors: { limit: [expect.any(String)] } }]);
  });

  defineCase(target, 'unknown paths get 404 with code and description', async () => {
    const items = `collections/${TIE_COLLECTION}/items`;
    for (const path of [
      'collections/nowhere',
      'collections/nowhere/items',
      'collections/nowhere/queryables',
      `${items}/nothing`,
    ]) {
      const answer = await send(path);
      expect([answer.status, await answer.json()]).toMatchObject([
        404,
        { code: 'not_found', description: expect.stringMatching(/not found/) },
      ]);
    }
  });

  defineCase(target, 'queryables are JSON schemas at their own address', async () => {
    const collection = await read<Node>(`collections/${TIE_COLLECTION}`);
    const rel = 'http://www.opengis.net/def/rel/ogc/1.0/queryables';
    for (const href of [hrefOf(await read<Node>(''), rel), hrefOf(collection, rel)]) {
      const answer = await send(href, { headers: { accept: 'application/schema+json' } });
      expect(answer.headers.get('content-type')).toBe('application/schema+json');
      expect(await answer.json()).toMatchObject({ $id: href, type: 'object', properties: { gsd: { type: 'number' } } });
    }
  });

  defineCase(target, 'queryables of a Collection are the properties of its Items, with their types', async () => {
    const queryables = async (id: string): Promise<Readonly<Record<string, unknown>>> =>
      (await read<{ readonly properties: Readonly<Record<string, unknown>> }>(`collections/${id}/queryables`))
        .properties;
    const own = await queryables(TIE_COLLECTION);
    const { features } = await client.search({ collections: TIE_COLLECTION });
    const names = features.flatMap(({ properties }) => Object.entries(Object(properties) as Record<string, unknown>));
    const scalars = names.filter(([, value]) => typeof value !== 'object').map(([name]) => name);
    expect(scalars.length).toBeGreaterThan(0);
    // The licence is added to responses from the service's settings. It is not stored with the Items, so it is not
    // queryable.
    const expected = new Set(scalars.filter((name) => name !== 'license'));
    expect(Object.keys(own)).toEqual(expect.arrayContaining([...expected, 'id', 'collection', 'geometry']));
    expect(own).toMatchObject({
      gsd: { type: 'number' },
      datetime: { type: 'string', format: 'date-time' },
      'x:index': { type: 'integer', title: 'x:index' },
      'x:share': { type: 'number' },
      'x:checked': { type: 'boolean' },
      'proj:code': { type: 'string', title: expect.stringContaining('raster') },
    });
    for (const name of ['table:row_count', 'x:parts']) expect(own).not.toHaveProperty([name]);
    // A queryable can be used in a filter.
    const found = await client.search({ filter: 'gsd >= 40', collections: TIE_COLLECTION });
    expect(found.features.map(({ id }) => id)).toHaveLength(2);
    // This Collection contains only other Collections, so `gsd` of their Items is not queryable here.
    expect(await queryables('sample_state_sample_district')).not.toHaveProperty('gsd');
  });

  defineCase(
    target,
    'an Item of the static catalogue is the same document as in the API, with the links of the static tree',
    async () => {
      const { features } = await client.search({});
      expect(features.length).toBeGreaterThan(TIES.length);
      for (const { id, collection } of features) {
        const api = await (await send(`collections/${collection}/items/${id}`)).text();
        const item: Node = JSON.parse(api);
        const collectionUrl = `${BASE}/api/v1/stac/${PATHS[collection] ?? ''}/`;
        const answer = await send(`${collectionUrl}items/${id}/`);
        expect([answer.status, answer.headers.get('content-type')]).toEqual([
          200,
          expect.stringMatching(/^application\/geo\+json/),
        ]);
        const tree: Node = JSON.parse(await answer.text());
        expect({ ...tree, links: [] }).toEqual({ ...item, links: [] });
        expect(Object.keys(tree)).toEqual(Object.keys(item));
        expect(tree.links.map(({ rel }) => rel)).toEqual(item.links.map(({ rel }) => rel));
        expect(Object.fromEntries(tree.links.filter(isOfTree).map(({ rel, href }) => [rel, href]))).toEqual({
          root: `${BASE}/api/v1/stac/`,
          self: `${collectionUrl}items/${id}/`,
          parent: collectionUrl,
          collection: collectionUrl,
        });
        const others = ({ links }: Node): readonly Link[] => links.filter((link) => !isOfTree(link));
        expect(others(tree)).toEqual(others(item));
      }
    },
  );

  defineCase(target, 'responses have an ETag; a request with this ETag gets 304', async () => {
    const items = `collections/${TIE_COLLECTION}/items`;
    const { features } = await client.search({ collections: TIE_COLLECTION, limit: '1' });
    for (const path of [
      '',
      'collections',
      `collections/${TIE_COLLECTION}`,
      `collections/${TIE_COLLECTION}/children`,
      `collections/${TIE_COLLECTION}/queryables`,
      items,
      `${items}?limit=2`,
      `${items}/${features[0]?.id ?? ''}`,
      'children',
      'search',
      'search?limit=2',
      'search?limit=2&fields=id',
      'queryables',
      'conformance',
      'api',
    ]) {
      const first = await send(path);
      await first.body?.cancel();
      const etag = first.headers.get('etag') ?? '';
      expect([first.headers.get('cache-control'), etag]).toEqual(['no-cache', expect.stringMatching(/^"[^"]+"$/)]);
      const headers = { 'if-none-match': etag, 'accept-encoding': 'identity' };
      const again = await sendRaw(client.harness().host.url, STAC_API + path, { headers });
      const plain = await sendRaw(client.harness().host.url, STAC_API + path, {
        headers: { 'if-none-match': String(again.headers['etag']) },
      });
      expect([plain.status, plain.body]).toEqual([304, '']);
      const head = await send(path, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
    }
  });

  defineCase(target, 'web pages of any origin may read and search', async () => {
    const origin = 'https://browser.example';
    const { headers } = await send('search', { headers: { origin } });
    expect(headers.get('access-control-allow-origin')).toBe('*');
    const preflight = await sendRaw(client.harness().host.url, `${STAC_API}search`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([204, '*']);
    expect(String(preflight.headers['access-control-allow-methods'])).toContain('POST');
    expect(String(preflight.headers['access-control-allow-headers'])).toContain('content-type');
    const posted = await send('search', {
      method: 'POST',
      headers: { origin, 'content-type': 'application/json' },
      body: '{"limit":1}',
    });
    expect(posted.headers.get('access-control-allow-origin')).toBe('*');
    expect(posted.headers.get('access-control-expose-headers')).toContain('Allow');
    await posted.body?.cancel();
    // Errors and OPTIONS need CORS headers too, because otherwise pages of other origins cannot read them.
    for (const [method, path, status] of [
      ['OPTIONS', 'search', 204],
      ['OPTIONS', 'collections', 204],
      ['PUT', 'search', 405],
    ] as const) {
      const answer = await send(path, { method, headers: { origin } });
      await answer.body?.cancel();
      const { headers: answered } = answer;
      expect([path, answer.status, answered.get('access-control-allow-origin')]).toEqual([path, status, '*']);
      expect([path, answered.get('allow')]).toEqual([path, expect.stringContaining('GET')]);
    }
  });

  defineCase(target, 'files of Items support Range and HEAD', async () => {
    const { features } = await client.search({ collections: 'sample_state_sample_district_sample_tehsil' });
    const assets = features.flatMap((item) =>
      Object.entries(Object(item['assets']) as Record<string, { href: string }>),
    );
    const cog = assets.find(([name]) => name === 'cog')?.[1].href ?? '';
    const part = await send(cog, { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.headers.get('content-range'), (await part.arrayBuffer()).byteLength]).toEqual([
      206,
      'bytes 0-9/5000',
      10,
    ]);
    for (const [name, { href }] of assets) {
      const head = await send(href, { method: 'HEAD' });
      expect([name, head.status]).toEqual([name, 200]);
    }
  });
}
