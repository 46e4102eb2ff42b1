import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isDomainError } from '@headwater/core/errors';
import { parseEcql } from './ecql.ts';
import { anyFeature, anyFilter, COLUMNS, filterOf, type Node, writeEcql } from './ecql.fixture.ts';
import { matching, predicateOf, testName } from './feature-filter.ts';
import { TURN } from '../encodings/world.fixture.ts';
import { createTable, type MapFeature } from './feature-table.ts';

const XY = { srs: 'EPSG:4326', axis: 'xy' } as const;
const YX = { srs: 'EPSG:4326', axis: 'yx' } as const;
const context = { columns: COLUMNS, geometryName: 'geom', crs: XY, parameter: 'cql_filter' } as const;

function refusedBy(filter: string, more: object = {}): string {
  try {
    predicateOf(parseEcql(filter, { ...context, ...more }), 'cql_filter');
  } catch (error) {
    if (isDomainError(error) && error.code === 'validation') return error.message;
    throw error;
  }
  throw new Error(`${filter} was accepted`);
}

describe('a filter in ECQL', () => {
  it('that was written from a tree is parsed into the same tree', () => {
    fc.assert(
      fc.property(anyFilter, (node) => {
        const text = writeEcql(node, 'geom');
        fc.pre(text.length <= 2048 && filterOf(node, testName).tests.length <= 8);
        expect(parseEcql(text, context)).toEqual(filterOf(node, testName));
      }),
      { numRuns: 500 },
    );
  });

  it('matches the features for which the AND, OR and NOT of its conditions give true', async () => {
    await fc.assert(
      fc.asyncProperty(anyFilter, fc.array(anyFeature, { minLength: 1, maxLength: 6 }), async (node, features) => {
        const text = writeEcql(node, 'geom');
        fc.pre(text.length <= 2048 && filterOf(node, testName).tests.length <= 8);
        const isWanted = predicateOf(parseEcql(text, context), 'cql_filter');
        for (const feature of features)
          expect([text, isWanted(feature)]).toEqual([text, truth(node, feature) === true]);
        // `matching` uses the spatial index, which must not omit a match.
        const table = createTable(features, COLUMNS);
        const filtering = { filter: parseEcql(text, context), parameter: 'cql_filter', turn: TURN };
        expect(await matching(table, filtering)).toEqual(features.filter(isWanted));
      }),
      { numRuns: 500 },
    );
  });

  it.each([
    ["uid='x' OR 1=1", /there is "1"; write the name of a column/],
    ["uid = 'a'; DROP TABLE layers", /there is ";"/],
    ['strLength(uid) > 3', /the function strLength is not offered/],
    ["uid = strConcat(uid, 'a')", /"strConcat" is not a column/],
    ['area > (SELECT 1)', /there is "\("/],
    ['//*[1] = 2', /is not part of a filter/],
    ["geom = 'a'", /geom is the geometry/],
    ["mws/uid = 'a'", /is not part of a filter/],
    ["UID = 'a'", /"UID" is not a column of the layer; use one of uid, area/],
    ["area = 'many'", /"many" cannot be compared with the column area; send a number/],
    ['INTERSECTS(geom, POINT(85))', /there is "\)"; write a number/],
    ['INTERSECTS(geom, POINT(1e300 2))', /is not a position on the Earth/],
    ['INTERSECTS(geom, POINT(1e999 2))', /write a number/],
    ['INTERSECTS(geom, POLYGON((0 0, 1 1, 2 2)))', /the geometry is not valid/],
    [
      `${'WITHIN(geom, POINT(1 2)) OR '.repeat(8)}WITHIN(geom, POINT(1 2))`,
      /more than 8 tests WITHIN, CONTAINS and DWITHIN/,
    ],
    ['INTERSECTS(other, POINT(85 24))', /write geom, the geometry of the layer/],
    ['INTERSECTS(geom, SRID=32644;POINT(1 2))', /"EPSG:32644" is not offered/],
    ['BBOX(geom, 1, 9, 2, 3)', /south is above north/],
    ["DWITHIN(geom, POINT(1 2), 5, 'parsecs')", /is not a unit/],
    ['DWITHIN(geom, POINT(1 2), -5, meters)', /the distance is below 0/],
    ['TOUCHES(geom, POINT(1 2))', /the function TOUCHES is not offered/],
    ['uid LIKE 5', /write a pattern/],
    ["area LIKE '1%'", /the column area has no texts/],
    ["area ILIKE '1%'", /the column area has no texts/],
    ['area = uid', /the columns area \(number\) and uid \(string\) cannot be compared/],
    ["uid IN ('a'", /the filter ends/],
    ['', /the filter ends/],
    ['area BETWEEN 1', /write AND there/],
    [`${'NOT '.repeat(21)} area = 1`, /nested more than 20 levels deep/],
    [`${'('.repeat(500)}area = 1${')'.repeat(500)}`, /nested more than 20 levels deep/],
    [`uid = '${'x'.repeat(3000)}'`, /has 3008 characters; send at most 2048/],
    [`INTERSECTS(geom, ${'GEOMETRYCOLLECTION('.repeat(30)}POINT(1 2)`, /nested more than 20 levels deep/],
  ])('is refused with the position and the remedy: %s', (filter, reason) => {
    const message = refusedBy(filter);
    expect(message).toMatch(reason);
    expect(message).toMatch(/^cql_filter: /);
  });

  it('is refused if it takes too long, and other requests continue meanwhile', async () => {
    const ring = Array.from({ length: 2000 }, (_, at) => [Math.cos(at / 318.4), Math.sin(at / 318.4)]);
    const geometry = { type: 'Polygon' as const, coordinates: [[...ring, [1, 0]]] };
    const box = [-1, -1, 1, 1] as const;
    const features = Array.from({ length: 50_000 }, (_, at) => ({ id: `a.${at}`, geometry, box, properties: {} }));
    const table = createTable(features, COLUMNS);
    const zigzag = Array.from({ length: 100 }, (_, at) => `${at % 2} ${at / 50 - 1}`).join(',');
    const filter = parseEcql(`NOT WITHIN(geom, LINESTRING(-3 -3, 3 3, ${zigzag}))`, context);
    const started = performance.now();
    let rounds = 0;
    const count = setInterval(() => (rounds += 1), 1);
    const found = matching(table, { filter, parameter: 'cql_filter', turn: TURN });
    await expect(found).rejects.toThrow(/cql_filter: the filter takes longer than 1500 ms/);
    clearInterval(count);
    expect(rounds).toBeGreaterThan(5);
    expect(performance.now() - started).toBeLessThan(10_000);
  });

  it('reads coordinates in the axis order of the CRS that the filter names, or else of the WFS version', () => {
    const point = (filter: string, crs: typeof XY | typeof YX): unknown => parseEcql(filter, { ...context, crs }).tree;
    const at = (x: number, y: number): unknown => ({
      op: 's_intersects',
      args: [{ property: 'geometry' }, { type: 'Point', coordinates: [x, y] }],
    });
    expect(point('INTERSECTS(geom, POINT(85 24))', XY)).toEqual(at(85, 24));
    expect(point('INTERSECTS(geom, POINT(24 85))', YX)).toEqual(at(85, 24));
    expect(point('INTERSECTS(geom, SRID=4326;POINT(85 24))', YX)).toEqual(at(85, 24));
    const box = { op: 's_intersects', args: [{ property: 'geometry' }, { bbox: [85, 24, 86, 25] }] };
    expect(point('BBOX(geom, 85, 24, 86, 25)', XY)).toEqual(box);
    expect(point('BBOX(geom, 24, 85, 25, 86)', YX)).toEqual(box);
    expect(point("BBOX(geom, 85, 24, 86, 25, 'EPSG:4326')", YX)).toEqual(box);
    expect(point("BBOX(geom, 24, 85, 25, 86, 'urn:ogc:def:crs:EPSG::4326')", XY)).toEqual(box);
    const [mercator] = (
      point("BBOX(geom, 0, 0, 111319.49, 111325.14, 'EPSG:3857')", XY) as { args: unknown[] }
    ).args.slice(1);
    expect((mercator as { bbox: number[] }).bbox.map((value) => Math.round(value * 1e4) / 1e4)).toEqual([0, 0, 1, 1]);
  });

  it('converts a value to the type of its column, unless this changes the meaning of the value', () => {
    expect(parseEcql('uid = 12', context).tree).toEqual({ op: '=', args: [{ property: 'uid' }, '12'] });
    expect(parseEcql("area > '1.5'", context).tree).toEqual({ op: '>', args: [{ property: 'area' }, 1.5] });
    expect(parseEcql("5 < area and uid like 'it''s%'", context).tree).toEqual({
      op: 'and',
      args: [
        { op: '<', args: [5, { property: 'area' }] },
        { op: 'like', args: [{ property: 'uid' }, "it's%"] },
      ],
    });
  });
});

/** Truth in three-valued logic: true, false or undefined (unknown). */
function truth(node: Node, feature: MapFeature): boolean | undefined {
  if (node.op === 'not') {
    const inner = truth(node.args[0], feature);
    return inner === undefined ? undefined : !inner;
  }
  if (node.op === 'and' || node.op === 'or') {
    const values = node.args.map((each) => truth(each, feature));
    const decisive = node.op === 'or';
    if (values.includes(decisive)) return decisive;
    return values.includes(undefined) ? undefined : !decisive;
  }
  const { tree, tests } = filterOf(node, testName);
  if (predicateOf({ tree, tests }, 'test')(feature)) return true;
  return predicateOf({ tree: { op: 'not', args: [tree] }, tests }, 'test')(feature) ? false : undefined;
}
