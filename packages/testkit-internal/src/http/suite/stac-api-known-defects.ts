import { expect } from 'vitest';
import { DATELINE_COLLECTION, TIE_COLLECTION, TIES } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, jsonInit } from './harness.ts';
import type { StacClient } from './stac-api-client.ts';

const ALL = 2 + TIES.length + 1;

/** Test cases of defects that users of other STAC servers have reported. */
export function stacKnownDefectCases(target: HttpTarget, client: StacClient): void {
  const { search, post, follow } = client;

  defineCase(target, 'next links lead to every Item, by GET and by POST', async () => {
    const query = { limit: '2', datetime: '2019-01-01T00:00:00+05:30/2024-12-31T00:00:00+05:30', fields: 'id' };
    const byQuery = await follow(await search(query));
    const byBody = await follow(await post({ ...query, limit: 2, fields: { include: ['id'] } }));
    expect(byBody).toEqual(byQuery);
    expect(byQuery.flat()).toHaveLength(ALL);
    const first = await search(query);
    expect(await search(query)).toEqual(first);
    const next = first.links.find(({ rel }) => rel === 'next')?.href ?? '';
    expect(await client.read(next)).toMatchObject({ numberReturned: 2 });
    // Only the request for the first page counts the total. Later pages read the total from the token of their link.
    const one = await search({ ...query, limit: '1' });
    const second = await client.read(one.links.find(({ rel }) => rel === 'next')?.href ?? '');
    expect([one, second]).toMatchObject([{ numberMatched: ALL }, { numberMatched: ALL }]);
    const following = await client.read(next);
    expect([first, following]).toMatchObject([{ numberMatched: ALL }, { numberMatched: ALL }]);
    expect(await search({ ...query, limit: '1000' })).toMatchObject({ numberMatched: ALL });
  });

  defineCase(target, 'a token is valid only for the search that returned it', async () => {
    const query = { limit: '1', filter: 'gsd >= 10', sortby: '+id' };
    const { links } = await search(query);
    const token = new URL(links.find(({ rel }) => rel === 'next')?.href ?? '').searchParams.get('token') ?? '';
    const rest = await search({ ...query, token, limit: '100', fields: 'id' });
    expect(rest.features).toHaveLength(rest.numberMatched === undefined ? NaN : rest.numberMatched - 1);
    const body = { filter: { op: '>=', args: [{ property: 'gsd' }, 10] }, sortby: [{ field: 'id', direction: 'asc' }] };
    expect((await post({ ...body, token })).features.map(({ id }) => id)).toEqual(rest.features.map(({ id }) => id));
    for (const other of [{ filter: 'gsd >= 20' }, { bbox: '90,25,91,26' }, { datetime: '2019-08-01T00:00:00Z' }])
      expect(await client.refused('token', { ...query, ...other, token })).toMatch(/does not belong to this search/);
    await client.refusedBody('token', { ...body, ids: ['tie_a'], token });
  });

  defineCase(target, 'pages neither repeat nor skip Items with equal or missing sort values', async () => {
    for (const sortby of [
      '',
      '+properties.datetime',
      '-properties.nothing',
      '+gsd',
      '-properties.table:row_count,+title',
      '+collection',
    ])
      for (const limit of ['1', '2', '3', '7', '8']) {
        const ids = (await follow(await search({ limit, sortby }))).flat();
        expect([sortby, limit, ids.length, new Set(ids).size]).toEqual([sortby, limit, ALL, ALL]);
      }
  });

  defineCase(target, 'Items with a time span are found by a time within it', async () => {
    for (const datetime of [
      '2019-12-24T00:00:00Z',
      '2019-07-01T00:00:00Z',
      '2020-06-30T23:59:59Z',
      '../2019-07-02T00:00:00Z',
      '2020-01-01T00:00:00Z/2020-02-01T00:00:00Z',
    ])
      expect((await search({ datetime })).features.map(({ collection }) => collection)).toEqual(
        TIES.map(() => TIE_COLLECTION),
      );
    expect((await search({ datetime: '2018-01-01T00:00:00Z' })).features).toEqual([]);
  });

  defineCase(target, 'open intervals are accepted, invalid intervals are 400', async () => {
    for (const datetime of [
      '2024-01-01T00:00:00Z/',
      '2024-01-01T00:00:00Z/..',
      '/2024-01-01T00:00:00Z',
      '../2024-01-01T00:00:00Z',
    ])
      expect((await search({ datetime })).features.length).toBeGreaterThan(0);
    for (const datetime of ['..', '/', '../..', 'now', '2024', '2024-01-01T00:00:00Z/P1Y'])
      await client.refused('datetime', { datetime });
  });

  defineCase(target, 'a box across the antimeridian finds Items and Collections', async () => {
    const bbox = '179.5,-16.5,-179.5,-16.4';
    expect((await search({ bbox })).features.map(({ collection }) => collection)).toEqual([DATELINE_COLLECTION]);
    const { collections } = await client.read<{ collections: { id: string }[] }>(`collections?bbox=${bbox}`);
    expect(collections.map(({ id }) => id)).toContain(DATELINE_COLLECTION);
    expect(collections.map(({ id }) => id)).not.toContain(TIE_COLLECTION);
  });

  defineCase(target, 'a large limit is accepted', async () => {
    for (const limit of ['10001', '1000000', '99999999999999999999'])
      expect((await search({ limit })).features).toHaveLength(ALL);
  });

  defineCase(target, 'a search of many Collections is accepted', async () => {
    const many = Array.from({ length: 5000 }, (_, at) => `collection_${String(at)}`);
    const found = await post({ collections: [...many, TIE_COLLECTION] });
    expect(found.features).toHaveLength(TIES.length);
    // QGIS sends the ids of all Collections in one URL. Node.js accepts about 16 KiB of URL and headers.
    const query = await search({ collections: [...many.slice(0, 600), TIE_COLLECTION].join(',') });
    expect(query.features).toHaveLength(TIES.length);
  });

  defineCase(target, 'an id with a slash is 400 or 404', async () => {
    for (const path of [
      `collections/${TIE_COLLECTION}/items/a%2Fb`,
      'collections/a%2Fb',
      'collections/..%2F..%2Fetc',
    ]) {
      const { status } = await client.send(path);
      expect([path, status === 400 || status === 404]).toEqual([path, true]);
    }
    for (const { features } of [await search({ limit: '100' })])
      for (const { id, collection } of features) expect(`${id}${collection}`).toMatch(/^[A-Za-z0-9._-]+$/);
  });

  defineCase(target, 'Items cannot be written through the API', async () => {
    const path = `collections/${TIE_COLLECTION}/items`;
    for (const [method, where] of [
      ['POST', path],
      ['PUT', `${path}/x`],
      ['PATCH', `${path}/x`],
      ['DELETE', `${path}/x`],
    ] as const) {
      const answer = await client.send(where, { ...jsonInit({ type: 'Feature' }), method });
      expect([method, answer.status]).toEqual([method, 405]);
      expect(await answer.json()).toMatchObject({ code: 'method_not_allowed', description: expect.any(String) });
    }
  });

  defineCase(target, 'if fields names only id and properties, Items keep the members that clients need', async () => {
    for (const fields of ['properties.title', 'id,properties.gsd', '']) {
      const { features } = await search({ fields, limit: '1' });
      for (const name of ['type', 'stac_version', 'id', 'geometry', 'bbox', 'links', 'assets'])
        expect(features[0]).toHaveProperty(name);
    }
  });

  defineCase(target, 'a page of the default size contains all Items if there are few', async () => {
    const page = await search({});
    expect([page.features.length, page.numberMatched, page.numberReturned]).toEqual([ALL, ALL, ALL]);
    expect(page.links.some(({ rel }) => rel === 'next')).toBe(false);
  });
}
