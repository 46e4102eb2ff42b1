import { describe, expect, test } from 'vitest';
import fc from 'fast-check';
import { sized } from '../../../../scripts/test-length.mjs';
import { cql2Predicate, cql2Sql, geometriesIntersect, parseCql2Text } from '../index.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { foldAccents, foldCase } from '../semantics/fold.ts';
import { likeTest } from '../semantics/pattern.ts';

interface Thing {
  readonly geometry?: Cql2Geometry;
  readonly [name: string]: unknown;
}

function passes(text: string, thing: Thing): boolean {
  const access = { property: (item: Thing, name: string) => item[name], geometry: (item: Thing) => item.geometry };
  return cql2Predicate(parseCql2Text(text), access)(thing);
}

test.each([
  ['a = 1', { a: 1 }, true],
  ['a <> 1', {}, false],
  ['NOT a = 1', {}, false],
  ['NOT a = 1', { a: null }, false],
  ['a = 1 OR b = 2', { b: 2 }, true],
  ['NOT (a = 1 AND b = 2)', { b: 3 }, true],
  ["a = '1'", { a: 1 }, false],
  ["a <> '1'", { a: 1 }, false],
  ['a IS NULL', { a: [] }, false],
  ['a IS NULL', {}, true],
  ['a + 1 IS NULL', { a: 'x' }, true],
  ["a IN (1, 'x')", { a: 'x' }, true],
  ['NOT a IN (1, b)', { a: 2 }, false],
  ['a BETWEEN 1 AND 2', { a: 2 }, true],
  ["a BETWEEN DATE('2020-01-01') AND TIMESTAMP('2020-12-31T00:00:00Z')", { a: new Date('2020-06-01') }, true],
  ['a / b = 2', { a: 4, b: 2 }, true],
  ['a / b > 0 OR a / b <= 0', { a: 1, b: 0 }, false],
  ['a * a > 0', { a: 1e200 }, false],
  ['a = TRUE', { a: true }, true],
  ["a < '\uffee'", { a: '𝒳' }, false],
  ["a > '2020-01-31T10:00:00Z'", { a: new Date('2020-01-31T10:00:00.001Z') }, true],
  ["a > '2020-01-31T10:00:00+05:30'", { a: new Date('2020-01-31T04:30:00.001Z') }, true],
  ["a > '2020-01-31T10:00:00+05:30'", { a: new Date('2020-01-31T04:30:00Z') }, false],
  ["a = '2020-03-01T00:10:00.25-00:30'", { a: new Date('2020-03-01T00:40:00.250Z') }, true],
  ["NOT a < '2020-02-29T23:30:00-01:00'", { a: new Date('2020-03-01T00:30:00Z') }, true],
  ["a = TIMESTAMP('2020-12-31T18:30:00.1234567Z')", { a: '2021-01-01T00:00:00.1234568+05:30' }, true],
  ["T_AFTER(a, DATE('2021-01-01'))", { a: '2021-01-01T01:00:00+05:30' }, false],
  // A literal timestamp and a timestamp in an item's text are compared as instants.
  ["a > '2020-01-01T05:30:00+05:30'", { a: '2020-01-01T00:00:01Z' }, true],
  ["a > '2020-01-01T05:30:00+05:30'", { a: '2020-01-01T05:29:59+05:30' }, false],
  ["'2020-01-01T05:30:00+05:30' = a", { a: '2020-01-01T00:00:00.000Z' }, true],
  ["a <> '2020-01-01T00:00:00Z'", { a: 'never' }, true],
  ["a > '2020-01-01T00:00:00Z'", { a: 'never' }, true],
  ["a IN ('2020-01-01T05:30:00+05:30', 'never')", { a: '2020-01-01T00:00:00Z' }, true],
  ["NOT a IN ('2020-01-01T05:30:00+05:30')", { a: 'never' }, true],
  ["a BETWEEN '2020-01-01T05:30:00+05:30' AND '2020-01-02T00:00:00Z'", { a: '2020-01-01T00:00:00Z' }, true],
  ["ACCENTI(a) = ACCENTI('2020-01-01T05:30:00+05:30')", { a: '2020-01-01T00:00:00Z' }, true],
  ["a LIKE '2020-01-01T05%'", { a: '2020-01-01T05:30:00+05:30' }, true],
  ["'2020-01-01T05:30:00+05:30' = '2020-01-01T00:00:00Z'", {}, false],
  ["a >= '2020-01-01'", { a: '2020-01-01T00:00:00Z' }, true],
  ["a <= '2020-01-01'", { a: '2020-01-01T00:00:00Z' }, false],
  // Texts that PostgreSQL refuses, or whose year in UTC is 0 or has five digits, are not instants.
  ["a > '0001-01-01T00:00:00+00:01'", { a: new Date('2020-01-31') }, false],
  ["a < '9999-12-31T23:59:00-00:01'", { a: new Date('2020-01-31') }, false],
  ["a < '2030-12-31T23:59:00+16:00'", { a: new Date('2020-01-31') }, false],
  ["a = TIMESTAMP('2020-01-31T10:00:00Z')", { a: '2020-01-31T10:00:00.0000001Z' }, true],
  ["a = DATE('2020-01-31')", { a: '2020-01-31' }, true],
  ["a = DATE('2020-01-31')", { a: 'soon' }, false],
  [
    "T_INTERSECTS(INTERVAL(a, b), INTERVAL('2019-01-01', '2019-12-31'))",
    { a: '2019-12-31T18:00:00Z', b: '2020-12-31' },
    true,
  ],
  ["T_DURING(a, INTERVAL('..', '2020-01-01'))", { a: '0001-01-01T00:00:00Z' }, true],
  ["T_AFTER(a, DATE('2020-01-01'))", {}, false],
  ["CASEI(a) LIKE CASEI('STRASSE%')", { a: 'Straße 1' }, true],
  ["CASEI(ACCENTI(a)) = CASEI(ACCENTI('BEYONCÉ'))", { a: 'beyonce' }, true],
  ["a LIKE '100\\%'", { a: '100%' }, true],
  ["a LIKE '100\\%'", { a: '1000' }, false],
  ["a LIKE '_'", { a: '🙂' }, true],
])('%s of %j is %s', (text, thing, expected) => {
  expect(passes(text, thing)).toBe(expected);
});

describe('geometries', () => {
  const at = (x: number, y: number): Cql2Geometry => ({ type: 'Point', coordinates: [x, y] });
  const fiji: Cql2Geometry = { type: 'Point', coordinates: [179.5, -17] };
  const ring = (west: number, east: number) => [
    [west, 0],
    [east, 0],
    [east, 10],
    [west, 10],
    [west, 0],
  ];
  const frame: Cql2Geometry = {
    type: 'Polygon',
    coordinates: [
      ring(0, 10),
      [
        [2, 2],
        [8, 2],
        [8, 8],
        [2, 8],
        [2, 2],
      ],
    ],
  };

  test.each([
    ['S_INTERSECTS(geometry, BBOX(170, -20, -170, 0))', fiji, true],
    ['S_INTERSECTS(geometry, BBOX(-170, -20, 170, 0))', fiji, false],
    ['S_INTERSECTS(geometry, POINT(5 5))', frame, false],
    ['S_INTERSECTS(geometry, POINT(2 5))', frame, true],
    ['S_INTERSECTS(geometry, BBOX(3, 3, 4, 4))', frame, false],
    ['S_INTERSECTS(geometry, BBOX(-1, -1, 11, 11))', frame, true],
    ['S_INTERSECTS(geometry, LINESTRING(5 5, 5 20))', frame, true],
    ['S_DISJOINT(geometry, POINT(5 5))', frame, true],
    // A polygon whose lines cross contains all areas that the lines surround.
    ['S_INTERSECTS(geometry, POLYGON((5 9, 7.5 1.5, 1 6, 9 6, 2.5 1.5, 5 9)))', at(5, 5), true],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 9 9, 9 0, 0 9, 0 0)))', at(1, 5), true],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 9 9, 9 0, 0 9, 0 0)))', at(5, 1), false],
    ['S_INTERSECTS(geometry, POLYGON((0 0, 4 0, 4 4, 0 0), (3 1, 9 1, 9 3, 3 1)))', at(9, 2), true],
    ['S_DISJOINT(footprint, POINT(5 5))', frame, false],
    ['S_INTERSECTS(geometry, POINT(5 5))', undefined, false],
    ['NOT S_INTERSECTS(geometry, POINT(5 5))', undefined, false],
  ])('%s for the geometry %j is %s', (text, geometry, expected) => {
    expect(passes(text, geometry === undefined ? {} : { geometry })).toBe(expected);
  });

  test('exact arithmetic finds that three points are not on one line', () => {
    const line: Cql2Geometry = {
      type: 'LineString',
      coordinates: [
        [0.5, 0.5],
        [12, 12],
      ],
    };
    const almost24 = 24 + 2 ** -48;
    const lower: Cql2Geometry = {
      type: 'Polygon',
      coordinates: [
        [
          [12, 12],
          [24, 24],
          [almost24, 24],
          [12, 12],
        ],
      ],
    };
    expect(geometriesIntersect(line, lower)).toBe(true);
    expect(geometriesIntersect(line, { type: 'Point', coordinates: [6, 6 + 2 ** -50] })).toBe(false);
    expect(geometriesIntersect(line, { type: 'Point', coordinates: [6, 6] })).toBe(true);
    expect(
      geometriesIntersect(
        { type: 'Point', coordinates: [1e-300, 1e-300] },
        {
          type: 'LineString',
          coordinates: [
            [0, 0],
            [1e-200, 2e-200],
          ],
        },
      ),
    ).toBe(false);
  });
});

test('folding removes accents and case, and keeps vowel signs of Indian scripts and the letter İ', () => {
  expect(foldAccents('नदी')).toBe('नदी');
  expect(foldAccents('Ökonomie, Ñandú')).toBe('Okonomie, Nandu');
  expect(foldCase('ΣΊΣΥΦΟΣ')).toBe(foldCase('Σίσυφος'));
  expect(foldCase('İ')).toBe('İ');
});

test.each([
  ['%a'.repeat(500), 'a'.repeat(400) + 'b'.repeat(20_000)],
  ['%a%a%a%a%a%b', 'a'.repeat(200_000)],
  [`%${'a'.repeat(5_000)}b%`, 'a'.repeat(100_000)],
  [`%${'_a'.repeat(2_500)}b%`, 'a'.repeat(100_000)],
])('the time of matching does not grow with pattern length times text length', (pattern, text) => {
  const before = process.cpuUsage();
  expect(likeTest(pattern)(text)).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

test('two literal geometries are compared once, not for each item', () => {
  const points = (from: number): string =>
    `MULTIPOINT(${Array.from({ length: 3_000 }, (_, at) => `${70 + from + at / 3_000} 10`).join(', ')})`;
  const matches = cql2Predicate(parseCql2Text(`S_INTERSECTS(${points(0)}, ${points(0.0001)})`), {
    property: () => null,
    geometry: () => null,
  });
  const before = process.cpuUsage();
  for (let item = 0; item < 200; item++) expect(matches(null)).toBe(false);
  expect(process.cpuUsage(before).user).toBeLessThan(1_000_000);
});

function expressionOf(pattern: readonly string[]): RegExp {
  const signs: Readonly<Record<string, string>> = { '%': '[^]*', _: '[^]', '\\%': '%', '\\_': '_', '\\\\': '\\\\' };
  return new RegExp(`^${pattern.map((each) => signs[each] ?? each).join('')}$`, 'u');
}

test('patterns match the same texts as the equivalent regular expressions, also long texts', () => {
  const letters = fc.constantFrom('a', 'b', '🙂');
  const signs = fc.oneof({ weight: 3, arbitrary: letters }, fc.constantFrom('%', '_', '\\%', '\\_', '\\\\'));
  const texts = fc.array(fc.oneof({ weight: 5, arbitrary: letters }, fc.constantFrom('%', '_', '\\')), {
    maxLength: 10,
  });
  fc.assert(
    fc.property(fc.array(signs, { maxLength: 8 }), texts, (pattern, text) => {
      expect(likeTest(pattern.join(''))(text.join(''))).toBe(expressionOf(pattern).test(text.join('')));
    }),
    { seed: 20_261_122, numRuns: sized(1_000, 5_000) },
  );
  const long = fc.array(fc.constantFrom('a', 'b'), { minLength: 30, maxLength: 150 });
  const cut = fc.tuple(fc.nat(40), fc.integer({ min: 20, max: 110 }), fc.array(fc.nat(100)), fc.boolean());
  fc.assert(
    fc.property(long, cut, (text, [from, length, gaps, isOther]) => {
      const part = text.slice(from, from + length).map((letter, at) => (gaps.includes(at) ? '_' : letter));
      const pattern = ['%', ...part, ...(isOther ? ['b'] : []), '%'];
      expect(likeTest(pattern.join(''))(text.join(''))).toBe(expressionOf(pattern).test(text.join('')));
    }),
    { seed: 20_261_122, numRuns: sized(500, 2_000) },
  );
});

test('in the SQL of a filter, a comparison of values of different types is null, and an unknown property is NULL', () => {
  const values: unknown[] = [];
  const sql = cql2Sql(parseCql2Text("name = 1 AND size = 'x' AND other IS NULL"), {
    queryable: (name) =>
      name === 'name' ? { sql: 'n', kind: 'text' } : name === 'size' ? { sql: 's', kind: 'number' } : undefined,
    param: (value) => `$${values.push(value)}`,
  });
  expect(sql).toBe(
    '(CASE WHEN (n) IS NULL OR ($1::float8) IS NULL THEN NULL::boolean END AND CASE WHEN (s) IS NULL OR ($2::text) IS NULL THEN NULL::boolean END AND ((NULL) IS NULL))',
  );
});
