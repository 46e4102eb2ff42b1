import { isDomainError } from '@headwater/core';
import { createMemoryStores } from '@headwater/identity/memory';
import { parseCql2Text } from '@headwater/cql2';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { readFieldsText } from './fields.ts';
import { readGeometry } from './search-schemas.ts';
import { Refusal } from './reading.ts';
import { type ItemSearch, SearchBody, SearchQuery } from './search-schemas.ts';

const NAMES = fc.constantFrom(
  'limit',
  'bbox',
  'datetime',
  'sortby',
  'fields',
  'filter',
  'query',
  'token',
  'ids',
  'intersects',
);
const ANY_TEXT = fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: 'binary' }), fc.constant('\ud800'));
const FIELD = fc.oneof(fc.constantFrom('gsd', 'properties.gsd', 'properties.', '', '__proto__', 'id'), ANY_TEXT);
const OPERATOR = fc.constantFrom('eq', 'neq', 'lt', 'lte', 'gt', 'gte', 'startsWith', 'endsWith', 'contains', 'in');
const VALUE = fc.oneof(ANY_TEXT, fc.double(), fc.boolean());
const QUERY = fc.dictionary(FIELD, fc.dictionary(OPERATOR, fc.oneof(VALUE, fc.array(VALUE))));

async function isSearch(result: {
  readonly success: boolean;
  readonly data?: ItemSearch | undefined;
}): Promise<boolean> {
  if (result.data === undefined) return false;
  const { conditions } = result.data;
  await createMemoryStores()
    .search.search({ ...conditions, limit: 1 }, { name: 'ids', text: ({ id }) => id })
    .catch((error: unknown) => {
      if (!isDomainError(error) || error.code !== 'validation') throw error;
    });
  return result.success;
}

it('reads a number with many digits in a box in linear time', () => {
  const before = process.cpuUsage();
  expect(readBoxText(`${'1'.repeat(60_000)}x,0,1,1`)).toBeInstanceOf(Refusal);
  expect(readBoxText(`0.${'1'.repeat(60_000)},0,1,1`)).toEqual([0.1111111111111111, 0, 1, 1]);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

it('refuses or executes each query and body without an unexpected error', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.dictionary(NAMES, fc.string({ unit: 'grapheme' })),
      fc.dictionary(NAMES, fc.jsonValue()),
      async (query, body) => {
        await isSearch(SearchQuery.safeParse(query));
        await isSearch(SearchBody.safeParse(body));
      },
    ),
  );
  let searches = 0;
  await fc.assert(
    fc.asyncProperty(QUERY, async (query) => {
      if (await isSearch(SearchBody.safeParse({ query, filter: { op: 'isNull', args: [{ property: 'x' }] } })))
        searches += 1;
      await isSearch(SearchQuery.safeParse({ query: JSON.stringify(query) }));
    }),
  );
  expect(searches).toBeGreaterThan(0);
});

it('checks a query and a filter together as one filter', () => {
  const query = { gsd: { eq: 1 } };
  let deep: object = { op: 'isNull', args: [{ property: 'a' }] };
  for (let level = 0; level < 63; level += 1) deep = { op: 'not', args: [deep] };
  const compared = { op: '=', args: [{ property: 'a' }, 1] };
  const wide = { op: 'or', args: Array.from({ length: 237 }, () => compared) };
  for (const filter of [deep, wide]) {
    expect(SearchBody.safeParse({ filter }).success).toBe(true);
    const { error } = SearchBody.safeParse({ filter, query });
    expect(error?.issues).toMatchObject([
      { path: ['query'], message: expect.stringMatching(/^Together .* (Send a|send several) smaller/) },
    ]);
  }
});

it('limits the number of conditions in a query', () => {
  const conditions = (count: number): unknown =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { gte: '1', lte: '2' }]));
  expect(SearchBody.safeParse({ query: conditions(45) }).success).toBe(true);
  const { error } = SearchBody.safeParse({ query: conditions(100_000) });
  expect(error?.issues).toMatchObject([{ path: ['query'], message: expect.stringContaining('More than 500') }]);
});

function refused(schema: typeof SearchBody | typeof SearchQuery, sent: object): readonly [name: unknown, text: string] {
  const [issue, ...others] = schema.safeParse(sent).error?.issues ?? [];
  expect(others).toEqual([]);
  return [issue?.path.join('.'), issue?.message ?? ''];
}

it('refuses a filter or a query with too many text operators; the error has their maximum number and a remedy', () => {
  const text = (count: number): string => Array.from({ length: count }, () => "CASEI(title) LIKE '%a%'").join(' OR ');
  expect(SearchQuery.safeParse({ filter: text(50) }).success).toBe(true);
  const message = expect.stringMatching(/more than 100 text.*operators .*casei.*expected 100 at most.*send several/);
  expect(refused(SearchQuery, { filter: text(51) })).toEqual(['filter', message]);
  expect(refused(SearchBody, { filter: text(51), 'filter-lang': 'cql2-text' })).toEqual(['filter', message]);
  const query = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`p${at}`, { contains: 'x' }]));
  expect(refused(SearchBody, { query })).toEqual(['query', message]);
  const half = Object.fromEntries(Object.entries(query).slice(0, 51));
  expect(refused(SearchBody, { query: half, filter: text(25), 'filter-lang': 'cql2-text' })).toEqual([
    'query',
    message,
  ]);
});

it('refuses a filter whose language differs from filter-lang (or from its default); the error names the filter-lang to send', () => {
  expect(refused(SearchBody, { filter: 'gsd < 10' })).toEqual([
    'filter',
    expect.stringContaining('send filter-lang: cql2-text'),
  ]);
  expect(refused(SearchBody, { filter: { op: '=' }, 'filter-lang': 'cql2-text' })).toEqual([
    'filter',
    expect.stringContaining('send filter-lang: cql2-json'),
  ]);
});

it('suggests filter-lang for CQL2-JSON in a query, but not for other wrong texts', () => {
  const [, message] = refused(SearchQuery, { filter: ' {"op":"=","args":[{"property":"a"},1]}' });
  expect(message).toMatch(/also needs filter-lang=cql2-json\.$/);
  expect(refused(SearchQuery, { filter: 'a = ' })[1]).not.toContain('filter-lang');
});

it('refuses fields and sortby in a body if they have the form of a query; the error shows the form for a body', () => {
  expect(refused(SearchBody, { fields: ['id'] })).toEqual(['fields', 'Send an object such as {"include":["id"]}.']);
  const key = 'Send an object such as {"field":"start_datetime","direction":"desc"}.';
  expect(refused(SearchBody, { sortby: ['-start_datetime'] })).toEqual(['sortby.0', key]);
  expect(refused(SearchBody, { sortby: [{}] })[1]).not.toBe(key);
});

it('accepts names of properties with and without `properties.` in front', () => {
  const plain = `gsd < 20 AND "eo:cloud_cover" IN (a, 'b') AND T_DURING(INTERVAL(c, d), INTERVAL('..', e))`;
  const long = `properties.gsd < 20 AND "properties.eo:cloud_cover" IN (properties.a, 'b')
    AND T_DURING(INTERVAL(properties.c, "properties.d"), INTERVAL('..', properties.e))`;
  const filterOf = (sent: object): unknown => SearchBody.safeParse(sent).data?.conditions.filter;
  const expected = parseCql2Text(plain);
  expect(SearchQuery.safeParse({ filter: long }).data?.conditions.filter).toEqual(expected);
  expect(filterOf({ filter: long, 'filter-lang': 'cql2-text' })).toEqual(expected);
  expect(filterOf({ filter: parseCql2Text(long) })).toEqual(expected);
  expect(filterOf({ query: { 'properties.gsd': { eq: 1 } } })).toEqual(parseCql2Text('gsd = 1'));
  // This literal only looks like the name of a property.
  expect(filterOf({ filter: { op: '=', args: [{ property: 'a' }, 'properties.gsd'] } })).toEqual({
    op: '=',
    args: [{ property: 'a' }, 'properties.gsd'],
  });
  for (const name of ['properties.', 'properties.__proto__'])
    expect(refused(SearchQuery, { filter: `"${name}" = 1` })[0]).toBe('filter');
});

it('accepts or refuses a geometry equally in intersects, in CQL2-JSON and in CQL2-Text', () => {
  const ring = (east: number): readonly (readonly number[])[] => [
    [0, 0],
    [east, 0],
    [east, 1],
    [0, 0],
  ];
  const cases: readonly (readonly [geometry: object, wkt: string, isValid: boolean])[] = [
    [{ type: 'Point', coordinates: [180, -90] }, 'POINT(180 -90)', true],
    [{ type: 'Point', coordinates: [190, 0] }, 'POINT(190 0)', false],
    [{ type: 'Point', coordinates: [0, 91] }, 'POINT(0 91)', false],
    [{ type: 'Point', coordinates: [0, 1, 2] }, 'POINT(0 1 2)', true],
    [{ type: 'Point', coordinates: [0, 1, 2, 3] }, 'POINT(0 1 2 3)', false],
    [{ type: 'Polygon', coordinates: [ring(9)] }, 'POLYGON((0 0, 9 0, 9 1, 0 0))', true],
    [{ type: 'Polygon', coordinates: [ring(200)] }, 'POLYGON((0 0, 200 0, 200 1, 0 0))', false],
    [{ type: 'Polygon', coordinates: [ring(9).slice(1)] }, 'POLYGON((9 0, 9 1, 0 0))', false],
    [{ type: 'LineString', coordinates: [[0, 0]] }, 'LINESTRING(0 0)', false],
    [
      { type: 'GeometryCollection', geometries: [{ type: 'GeometryCollection', geometries: [] }] },
      'GEOMETRYCOLLECTION(GEOMETRYCOLLECTION(POINT(0 0)))',
      false,
    ],
    [
      { type: 'MultiPoint', coordinates: Array.from({ length: 10_001 }, () => [0, 0]) },
      `MULTIPOINT(${Array.from({ length: 10_001 }, () => '0 0').join(',')})`,
      false,
    ],
  ];
  for (const [geometry, wkt, isValid] of cases) {
    const all = [
      SearchBody.safeParse({ intersects: geometry }),
      SearchQuery.safeParse({ intersects: JSON.stringify(geometry) }),
      SearchBody.safeParse({ filter: { op: 's_intersects', args: [{ property: 'geometry' }, geometry] } }),
      SearchQuery.safeParse({ filter: `S_INTERSECTS(geometry, ${wkt})` }),
    ];
    const short = wkt.slice(0, 60);
    expect([short, ...all.map(({ success }) => success)]).toEqual([short, isValid, isValid, isValid, isValid]);
  }
  expect(
    refused(SearchBody, {
      intersects: {
        type: 'LineString',
        coordinates: [
          [0, 0],
          [190, 0],
        ],
      },
    }),
  ).toEqual([
    'intersects',
    'At /coordinates/1: found the position 190, 0, expected a longitude from -180 to 180, a latitude from -90 to 90, and at most one height. Write longitude first, in degrees; cut a shape at the antimeridian.',
  ]);
});

it('refuses coordinates and geometries that are nested 50,000 levels deep', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  for (const coordinates of [deep, [[deep, [0, 0], [1, 1], deep]], [[[deep]]]])
    for (const type of ['Point', 'LineString', 'Polygon', 'MultiPolygon'])
      expect(readGeometry({ type, coordinates })).toBeInstanceOf(Refusal);
  let nested: object = { type: 'Point', coordinates: [0, 0] };
  for (let level = 0; level < 50_000; level += 1) nested = { type: 'GeometryCollection', geometries: [nested] };
  expect(readGeometry(nested)).toBeInstanceOf(Refusal);
});

it('wraps boxes to longitudes from -180 to 180 without changing their area', () => {
  expect(readBoxText('170,-10,190,10')).toEqual([170, -10, -170, 10]);
  expect(readBoxText('-200,-10,-170,10')).toEqual([160, -10, -170, 10]);
  expect(readBoxText('-200,-90,200,90')).toEqual([-180, -90, 180, 90]);
  expect(readBoxText('180,0,-180,1')).toEqual([180, 0, -180, 1]);
  expect(readBoxText('1e1,.5,+11.,6e-1')).toEqual([10, 0.5, 11, 0.6]);
  expect(readBoxText('1,2,0,3,4,9')).toEqual([1, 2, 3, 4]);
});

it('converts times to UTC with nanoseconds', () => {
  expect(readInterval('2020-07-23T01:00:00.123456789+03:00')).toEqual({
    start: '2020-07-22T22:00:00.123456789Z',
    end: '2020-07-22T22:00:00.123456789Z',
  });
  expect(readInterval('../2020-01-01t00:00:00z')).toEqual({ start: null, end: '2020-01-01T00:00:00Z' });
});

it('separates included and excluded fields by their signs', () => {
  expect(readFieldsText(' id,+properties.gsd ,-links')).toEqual({
    include: [['id'], ['properties', 'gsd']],
    exclude: [['links']],
  });
  expect(readFieldsText('-links')).toEqual({ include: undefined, exclude: [['links']] });
});
