import { describe, expect, test } from 'vitest';
import { type Cql2Expression, isCql2Error, parseCql2Json, writeCql2Text } from '../index.ts';

const a = { property: 'a' };
const equal = (value: unknown) => ({ op: '=', args: [a, value] });
const intersects = (geometry: unknown) => ({ op: 's_intersects', args: [{ property: 'geometry' }, geometry] });

function refusal(value: unknown) {
  try {
    parseCql2Json(value);
  } catch (error) {
    if (isCql2Error(error)) return error.details;
    throw error;
  }
  return undefined;
}

describe('input that clients send', () => {
  test('accepts the bounds of between as a list, because drafts of the standard and a validator write them in this way', () => {
    expect(parseCql2Json({ op: 'between', args: [a, [0, 50]] })).toEqual({ op: 'between', args: [a, 0, 50] });
  });

  test('ignores foreign members of geometries', () => {
    const point = { type: 'Point', coordinates: [1, 2] };
    expect(parseCql2Json(intersects({ ...point, bbox: [1, 2, 1, 2], crs: null }))).toEqual(intersects(point));
  });

  test('accepts a geometry collection, heights and minus zero', () => {
    const geometries = [
      { type: 'Point', coordinates: [-0, 2, 30] },
      {
        type: 'LineString',
        coordinates: [
          [1, 2],
          [3, 4],
        ],
      },
    ];
    expect(writeCql2Text(parseCql2Json(intersects({ type: 'GeometryCollection', geometries })))).toBe(
      'S_INTERSECTS(geometry, GEOMETRYCOLLECTION(POINT(0 2 30), LINESTRING(1 2, 3 4)))',
    );
  });

  test('accepts true or false as the whole filter', () => {
    expect(parseCql2Json(true)).toBe(true);
    expect(parseCql2Json(false)).toBe(false);
  });
});

test.each([
  [null, '', 'null'],
  [undefined, '', 'nothing'],
  ['a = 1', '', 'a text'],
  [7, '', 'a number'],
  [[], '', 'a list'],
  [{}, '', 'an empty object'],
  [a, '', 'a property'],
  [{ op: 'AND', args: [true, true] }, '', '"AND"'],
  [{ op: 'eq', args: [a, 1] }, '', '"eq"'],
  [{ op: 's_within', args: [a, a] }, '', 'not supported'],
  [{ op: 'and', args: [true] }, '', '1 argument'],
  [{ op: 'not', args: [] }, '', '0 arguments'],
  [{ op: '=', args: 7 }, '', '7'],
  [{ op: '=' }, '', 'nothing'],
  [{ op: ['='], args: [a, 1] }, '', 'a list of 1'],
  [{ op: '=', args: [a, 1], arg: 7 }, '', '"arg"'],
  [{ op: 'and', args: Array(2) }, '/args/0', 'nothing'],
  [{ op: 'in', args: [a, Array(1)] }, '/args/1/0', 'nothing'],
  [intersects({ type: 'MultiPoint', coordinates: Array(1) }), '/args/1/coordinates/0', 'nothing'],
  [equal(null), '/args/1', 'null'],
  [equal(NaN), '/args/1', 'NaN'],
  [equal(Infinity), '/args/1', 'Infinity'],
  [equal([1]), '/args/1', 'a list'],
  [equal(equal(1)), '/args/1', 'a condition'],
  [equal('\udc00'), '/args/1', 'an invalid character'],
  [equal({ property: 7 }), '/args/1/property', '7'],
  [equal({ property: '__proto__' }), '/args/1/property', '__proto__'],
  [equal({ property: 'b', more: 1 }), '/args/1', '"more"'],
  [JSON.parse('{"op": "=", "args": [{"__proto__": "b"}, 1]}'), '/args/0', '__proto__'],
  [equal({ timestamp: '2020-01-01T00:00:00+05:30' }), '/args/1', '+05:30'],
  [equal({ date: 20200101 }), '/args/1', '20200101'],
  [equal({ date: '2020-13-01' }), '/args/1', '2020-13-01'],
  [{ op: 't_after', args: [a, { interval: ['..'] }] }, '/args/1/interval', 'a list of 1'],
  [{ op: 't_after', args: [a, { interval: ['..', null] }] }, '/args/1/interval/1', 'null'],
  [{ op: 'in', args: [a, []] }, '/args/1', 'an empty list'],
  [{ op: 'in', args: [a, 7] }, '/args/1', 'a number'],
  [{ op: 'in', args: [a, [7, [8]]] }, '/args/1/1', 'a list'],
  [{ op: 'like', args: [a, a] }, '/args/1', 'a property'],
  [{ op: 'like', args: [7, 'x'] }, '/args/0', 'a number'],
  [{ op: 'casei', args: ['x'] }, '', 'a text in CASEI or ACCENTI'],
  [equal({ op: '+', args: ['x', 1] }), '/args/1/args/0', 'a text'],
  [{ op: 'isNull', args: [null] }, '/args/0', 'null'],
  [intersects({ type: 'Feature', geometry: null }), '/args/1', '"Feature"'],
  [intersects({ type: 'Point', coordinates: [NaN, 1] }), '/args/1/coordinates', 'NaN'],
  [intersects({ type: 'Point', coordinates: ['1', 2] }), '/args/1/coordinates', '"1"'],
  [intersects({ type: 'Point', coordinates: [1, 2, 3, 4] }), '/args/1/coordinates', '1, 2, 3, 4'],
  [intersects({ type: 'LineString', coordinates: [[1, 2]] }), '/args/1/coordinates', 'a list of 1'],
  [
    intersects({
      type: 'MultiPolygon',
      coordinates: [
        [
          [
            [0, 0],
            [1, 0],
            [1, 1],
            [0, 2],
          ],
        ],
      ],
    }),
    '/args/1/coordinates/0/0',
    'a ring',
  ],
  [
    intersects({ type: 'GeometryCollection', geometries: [{ type: 'Point', coordinates: [] }] }),
    '/args/1/geometries/0/coordinates',
    'the position',
  ],
  [intersects({ bbox: [1, 2, 3, '4'] }), '/args/1', 'a list of 4'],
  [intersects({ bbox: [1, 2, NaN, 4] }), '/args/1', 'a list of 4'],
  [intersects({ bbox: [0, 0, 181, 4] }), '/args/1', '181'],
])('%j is refused at the JSON Pointer "%s"', (value, pointer, found) => {
  const details = refusal(value);
  expect(details?.pointer).toBe(pointer);
  expect(details?.position).toBeNull();
  expect(details?.found).toContain(found);
});

describe('parseCql2Json with hostile values', () => {
  test('refuses 100,000 levels of nesting', () => {
    let deep: unknown = true;
    for (let level = 0; level < 100_000; level++) deep = { op: 'not', args: [deep] };
    expect(refusal(deep)).toMatchObject({ code: 'limit' });
    let lists: unknown = [];
    for (let level = 0; level < 100_000; level++) lists = [lists];
    expect(refusal(equal(lists))).toMatchObject({ code: 'limit' });
  });

  test('refuses too many values, too long values and too many positions', () => {
    expect(refusal({ op: 'in', args: [a, Array.from({ length: 100_000 }, () => 1)] })).toMatchObject({ code: 'limit' });
    expect(refusal(equal('x'.repeat(1_000_000)))).toMatchObject({ code: 'limit' });
    const coordinates = Array.from({ length: 100_000 }, () => [1, 2]);
    expect(refusal(intersects({ type: 'MultiPoint', coordinates }))).toMatchObject({ code: 'limit' });
  });

  test('refuses too many empty lists, and too many references to the same list', () => {
    const nothing = Array.from({ length: 150_000 }, () => []);
    expect(refusal({ op: 'in', args: [a, nothing] })).toMatchObject({ code: 'limit' });
    expect(refusal({ op: 'and', args: nothing })).toMatchObject({ code: 'limit' });
    let shared: unknown[] = [];
    for (let level = 0; level < 60; level++) shared = [shared, shared];
    expect(refusal({ op: 'in', args: [a, shared] })).toMatchObject({ code: 'limit' });
  });

  test('reads a pattern of backslashes in one pass', () => {
    const before = process.cpuUsage();
    const pattern = `${'\\'.repeat(240_000)}a`;
    expect(parseCql2Json({ op: 'like', args: [a, pattern] })).toEqual({ op: 'like', args: [a, pattern] });
    expect(refusal({ op: 'like', args: [a, `${pattern}\\`] })).toMatchObject({
      found: expect.stringContaining('backslash'),
    });
    expect(process.cpuUsage(before).user).toBeLessThan(2_000_000);
  });

  test('writeCql2Text refuses a tree with a value that the parser refuses, even if a program built the tree', () => {
    const wrong: Cql2Expression = { op: '=', args: [{ property: 'a' }, NaN] };
    expect(() => writeCql2Text(wrong)).toThrow('at /args/1: found NaN');
  });
});
