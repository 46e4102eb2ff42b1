import { expect } from 'vitest';
import { DATELINE_COLLECTION, TIE_COLLECTION, TIES } from '../fixture/search-world.ts';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase } from './harness.ts';
import type { StacClient } from './stac-api-client.ts';

const GSD = { property: 'gsd' };

/** Test cases of CQL2 filters and the Query extension. */
export function stacFilterCases(target: HttpTarget, client: StacClient): void {
  const { search, post, refused, refusedBody } = client;

  defineCase(target, 'a filter gives the same Items as text and as JSON, by GET and by POST', async () => {
    const text = `gsd BETWEEN 20 AND 40 AND collection = '${TIE_COLLECTION}'`;
    const json = {
      op: 'and',
      args: [
        { op: 'between', args: [GSD, 20, 40] },
        { op: '=', args: [{ property: 'collection' }, TIE_COLLECTION] },
      ],
    };
    const answers = [
      await search({ filter: text }),
      await search({ filter: text, 'filter-lang': 'cql2-text' }),
      await search({ filter: JSON.stringify(json), 'filter-lang': 'cql2-json' }),
      await post({ filter: json }),
      await post({ filter: json, 'filter-lang': 'cql2-json' }),
      await post({ filter: text, 'filter-lang': 'cql2-text' }),
    ];
    const [first] = answers;
    expect(first?.features).toHaveLength(3);
    for (const { features, numberMatched } of answers) expect([features, numberMatched]).toEqual([first?.features, 3]);
  });

  defineCase(target, 'a filter is combined with the other conditions of the search, on every page', async () => {
    const page = await search({ filter: 'gsd <= 30', limit: '2', collections: TIE_COLLECTION });
    expect((await client.follow(page)).map(({ length }) => length)).toEqual([2, 1]);
    expect((await search({ filter: 'gsd <= 30', ids: 'nothing' })).features).toEqual([]);
    const items = await client.read<{ features: readonly object[] }>(
      `collections/${DATELINE_COLLECTION}/items?filter=${encodeURIComponent('gsd <> 30')}`,
    );
    expect(items.features).toEqual([]);
  });

  defineCase(target, 'the name of a property may have the prefix "properties."', async () => {
    const [plain, long] = [
      await search({ filter: 'gsd <= 30', collections: TIE_COLLECTION }),
      await search({ filter: 'properties.gsd <= 30', sortby: '-properties.gsd', collections: TIE_COLLECTION }),
    ];
    expect(plain.features).toHaveLength(3);
    expect(long.features.map(({ id }) => id).toSorted()).toEqual(plain.features.map(({ id }) => id).toSorted());
    const filter = { op: '<=', args: [{ property: 'properties.gsd' }, 30] };
    expect((await post({ filter, collections: TIE_COLLECTION })).numberMatched).toBe(3);
  });

  defineCase(target, 'filters accept geometries and times of Items', async () => {
    const at = 'S_INTERSECTS(geometry, POINT(90.05 25.05))';
    expect((await search({ filter: at })).numberMatched).toBe(TIES.length);
    const after = "start_datetime > TIMESTAMP('2022-01-01T00:00:00Z')";
    expect((await search({ filter: after })).features.map(({ collection }) => collection)).toEqual([
      DATELINE_COLLECTION,
    ]);
    expect((await search({ filter: 'eo:cloud_cover < 10' })).features).toEqual([]);
    expect((await search({ filter: "title LIKE 'नदी%'" })).numberMatched).toBe(TIES.length + 1);
  });

  defineCase(target, 'invalid filters are refused with a message', async () => {
    for (const filter of ['', 'gsd <', "gsd = 'a", 'nonsense(', '); DROP TABLE items; --', '{"op":"="}'])
      await refused('filter', { filter });
    await refused('filter', { filter: '{', 'filter-lang': 'cql2-json' });
    await refused('filter', { filter: '{"op":"explode","args":[]}', 'filter-lang': 'cql2-json' });
    expect(await refusedBody('filter', { filter: 'gsd < 10' })).toMatch(/send filter-lang: cql2-text/);
    for (const filter of [7, [], 'gsd < 10', { op: '=' }, { op: 'explode', args: [] }])
      await refusedBody('filter', { filter });
    await refused('filter-lang', { filter: 'gsd < 10', 'filter-lang': 'cql-text' });
    await refused('filter-crs', { filter: 'gsd < 10', 'filter-crs': 'http://www.opengis.net/def/crs/EPSG/0/3857' });
    expect(
      (await search({ filter: 'gsd < 15', 'filter-crs': 'http://www.opengis.net/def/crs/OGC/1.3/CRS84' })).features,
    ).toHaveLength(1);
  });

  defineCase(target, 'filters have a maximum size, which a list of some thousand ids does not exceed', async () => {
    const names = Array.from({ length: 4_900 }, (_, at) => ({ property: `p${at}` }));
    const tooMany = /found 4903 nodes, expected 500 at most: each operator, property.*Compare a property with a list/;
    expect(await refusedBody('filter', { filter: { op: 'in', args: [{ property: 'x' }, names] } })).toMatch(tooMany);
    const half = { op: 'in', args: [{ property: 'x' }, names.slice(0, 490)] };
    const conditions = Object.fromEntries(names.slice(0, 10).map(({ property }) => [property, { eq: 1 }]));
    expect(await refusedBody('query', { filter: half, query: conditions })).toMatch(
      /Together with the filter, found 516 nodes, expected 500 at most/,
    );
    const [wanted] = (await search({ collections: TIE_COLLECTION })).features;
    const ids = [...names.map(({ property }) => property), wanted?.id ?? ''];
    for (const body of [
      { filter: { op: 'in', args: [{ property: 'id' }, ids] } },
      { filter: `id IN (${ids.map((id) => `'${id}'`).join(',')})`, 'filter-lang': 'cql2-text' },
      { query: { id: { in: ids } } },
      { ids },
    ])
      expect((await post(body)).features.map(({ id }) => id)).toEqual([wanted?.id]);
  });

  defineCase(target, 'the Query extension compares numbers, searches texts and accepts lists', async () => {
    const count = async (query: unknown): Promise<number | undefined> => {
      const byQuery = await search({ query: JSON.stringify(query), collections: TIE_COLLECTION });
      const byBody = await post({ query, collections: [TIE_COLLECTION] });
      expect(byBody.features).toEqual(byQuery.features);
      return byBody.numberMatched;
    };
    expect(await count({ gsd: { eq: 20 } })).toBe(1);
    expect(await count({ gsd: { eq: '20' } })).toBe(1);
    expect(await count({ gsd: { neq: 20 } })).toBe(4);
    expect(await count({ gsd: { neq: '20' } })).toBe(4);
    expect(await count({ 'properties.gsd': { gte: 20, lt: 50 } })).toBe(3);
    expect(await count({ gsd: { lte: 20 }, title: { startsWith: 'नदी' } })).toBe(2);
    expect(await count({ title: { contains: '100 % <' } })).toBe(5);
    expect(await count({ title: { contains: '1_0' } })).toBe(0);
    expect(await count({ title: { endsWith: '<b>' } })).toBe(5);
    expect(await count({ gsd: { in: [10, '20', 70] } })).toBe(2);
    expect(await count({})).toBe(5);
    for (const query of [
      [],
      'x',
      7,
      { gsd: 5 },
      { gsd: { near: 5 } },
      { gsd: { eq: null } },
      { gsd: { in: 5 } },
      { gsd: { in: [] } },
      { title: { contains: 5 } },
      { '': { eq: 1 } },
      { 'properties.': { eq: 1 } },
      { title: { eq: 'a\0b' } },
      { title: { eq: 'a\ud800' } },
      JSON.parse('{"__proto__":{"eq":1}}'),
    ] as readonly unknown[]) {
      await refused('query', { query: JSON.stringify(query) });
      await refusedBody('query', { query });
    }
    // By POST only, because these queries are too long for an address.
    const conditions = Array.from({ length: 501 }, (_, at) => [`p${String(at)}`, { eq: at }] as const);
    for (const query of [{ gsd: { in: Array.from({ length: 6000 }, (_, at) => at) } }, Object.fromEntries(conditions)])
      await refusedBody('query', { query });
  });
}
