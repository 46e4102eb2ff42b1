import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readBoxText } from './box.ts';
import { readInterval } from './datetime.ts';
import { readFieldsText } from './fields.ts';
import { readGeometry } from './geometry.ts';
import { Refusal } from './reading.ts';
import { SearchBody, SearchQuery } from './search-schemas.ts';

it('whatever stands in a query or a body is read or refused, never a failure', () => {
  const names = fc.constantFrom(
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
  fc.assert(
    fc.property(
      fc.dictionary(names, fc.string({ unit: 'grapheme' })),
      fc.dictionary(names, fc.jsonValue()),
      (query, body) => {
        SearchQuery.safeParse(query);
        SearchBody.safeParse(body);
      },
    ),
  );
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
