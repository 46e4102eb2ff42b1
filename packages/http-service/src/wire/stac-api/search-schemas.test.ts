import { isDomainError } from '@headwater/core';
import { createMemoryStores } from '@headwater/core/memory';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { readFieldsText } from './fields.ts';
import { readGeometry } from './geometry.ts';
import { Refusal } from './reading.ts';
import { type AskedSearch, SearchBody, SearchQuery } from './search-schemas.ts';

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

/** Whether it is read; throws where a store then fails at it as at nothing that it was asked. */
async function isSearch(result: {
  readonly success: boolean;
  readonly data?: AskedSearch | undefined;
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

it('whatever stands in a query or a body is refused, or read and searched by, never a failure', async () => {
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

it('a query and a filter are checked as the one filter that they make', () => {
  const query = { gsd: { eq: 1 } };
  let deep: object = { op: 'isNull', args: [{ property: 'a' }] };
  for (let level = 0; level < 63; level += 1) deep = { op: 'not', args: [deep] };
  const compared = { op: '=', args: [{ property: 'a' }, 1] };
  const wide = { op: 'or', args: Array.from({ length: 1666 }, () => compared) };
  for (const filter of [deep, wide]) {
    expect(SearchBody.safeParse({ filter }).success).toBe(true);
    const { error } = SearchBody.safeParse({ filter, query });
    expect(error?.issues).toMatchObject([{ path: ['query'], message: expect.stringMatching(/^Together .* Send a/) }]);
  }
});

it('a query has as many conditions as one statement can hold', () => {
  const conditions = (count: number): unknown =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`p${at}`, { gte: '1', lte: '2' }]));
  expect(SearchBody.safeParse({ query: conditions(250) }).success).toBe(true);
  const { error } = SearchBody.safeParse({ query: conditions(100_000) });
  expect(error?.issues).toMatchObject([{ path: ['query'], message: expect.stringContaining('More than 500') }]);
});

it('coordinates that are nested without end are refused', () => {
  let deep: unknown = 1;
  for (let level = 0; level < 50_000; level += 1) deep = [deep];
  for (const coordinates of [deep, [[deep, [0, 0], [1, 1], deep]], [[[deep]]]])
    for (const type of ['Point', 'LineString', 'Polygon', 'MultiPolygon'])
      expect(readGeometry({ type, coordinates })).toBeInstanceOf(Refusal);
  let nested: object = { type: 'Point', coordinates: [0, 0] };
  for (let level = 0; level < 50_000; level += 1) nested = { type: 'GeometryCollection', geometries: [nested] };
  expect(readGeometry(nested)).toBeInstanceOf(Refusal);
});

it('boxes are turned to the longitudes of the world, and keep what they cover', () => {
  expect(readBoxText('170,-10,190,10')).toEqual([170, -10, -170, 10]);
  expect(readBoxText('-200,-10,-170,10')).toEqual([160, -10, -170, 10]);
  expect(readBoxText('-200,-90,200,90')).toEqual([-180, -90, 180, 90]);
  expect(readBoxText('180,0,-180,1')).toEqual([180, 0, -180, 1]);
  expect(readBoxText('1e1,.5,+11.,6e-1')).toEqual([10, 0.5, 11, 0.6]);
  expect(readBoxText('1,2,0,3,4,9')).toEqual([1, 2, 3, 4]);
});

it('times are told in UTC to the nanosecond', () => {
  expect(readInterval('2020-07-23T01:00:00.123456789+03:00')).toEqual({
    start: '2020-07-22T22:00:00.123456789Z',
    end: '2020-07-22T22:00:00.123456789Z',
  });
  expect(readInterval('../2020-01-01t00:00:00z')).toEqual({ start: null, end: '2020-01-01T00:00:00Z' });
});

it('names of fields are told apart by their signs', () => {
  expect(readFieldsText(' id,+properties.gsd ,-links')).toEqual({
    include: [['id'], ['properties', 'gsd']],
    exclude: [['links']],
  });
  expect(readFieldsText('-links')).toEqual({ include: undefined, exclude: [['links']] });
});
