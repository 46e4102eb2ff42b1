import type { Position } from 'geojson';
import { describe, expect, it } from 'vitest';
import { box, shp } from '../boundaries/import-files.fixture.ts';
import { shpPolygons } from './shp-records.ts';

function read(rings: Readonly<Record<string, readonly Position[]>>): readonly (readonly string[])[] {
  // The fixture reverses rings to the direction of Shapefiles.
  const file = shp([{ properties: {}, rings: Object.values(rings) }]);
  const names = new Map(Object.entries(rings).map(([name, ring]) => [textOf(ring), name]));
  const polygons = shpPolygons(file.subarray(108), (x, y) => [x, y]);
  return polygons.map((polygon) => polygon.map((ring) => names.get(textOf(ring)) ?? 'unknown'));
}

const textOf = (ring: readonly Position[]): string => ring.map(String).toSorted().join(' ');

const land = box(70, 10, 10);
const lake = box(71, 11, 8).toReversed();
const island = box(72, 12, 6);
const pond = box(73, 13, 4).toReversed();
const far = box(85, 10, 1);
const farther = box(90, 10, 1);

describe('holes of a shape', () => {
  it('belong to the smallest ring around them, in any order of the rings', () => {
    expect(read({ land, lake, island, pond })).toEqual([
      ['land', 'lake'],
      ['island', 'pond'],
    ]);
    expect(read({ pond, island, lake, land })).toEqual([
      ['island', 'pond'],
      ['land', 'lake'],
    ]);
  });

  it.each<[string, Position[]]>([
    [
      'its first corner',
      [
        [80, 15],
        [77, 14],
        [77, 16],
        [80, 15],
      ],
    ],
    [
      'each of its corners',
      [
        [80, 15],
        [75, 10],
        [70, 15],
        [75, 20],
        [80, 15],
      ],
    ],
    [
      'a side',
      [
        [80, 12],
        [76, 12],
        [76, 18],
        [80, 18],
        [80, 12],
      ],
    ],
  ])('remain holes if they touch their outer ring with %s', (_, hole) => {
    expect(read({ land, far, hole, farther })).toEqual([['land', 'hole'], ['far'], ['farther']]);
    expect(read({ far, hole, land })).toEqual([['far'], ['land', 'hole']]);
  });

  it('are also found if the directions of all rings are reversed', () => {
    const reversed = { land: land.toReversed(), lake: lake.toReversed(), island: island.toReversed() };
    expect(read(reversed)).toEqual([['land', 'lake'], ['island']]);
    expect(read({ far, ...reversed })).toEqual([['far'], ['land', 'lake'], ['island']]);
  });

  it('do not exist if all rings have the same direction, or if no ring is inside another ring', () => {
    expect(read({ land, island })).toEqual([['land'], ['island']]);
    expect(read({ land: land.toReversed(), far: far.toReversed() })).toEqual([['land'], ['far']]);
    expect(read({ land, far: far.toReversed() })).toEqual([['land'], ['far']]);
  });

  it('become outer rings if no ring is around them, also if other rings are inside them', () => {
    const stray = far.toReversed();
    const inner = box(74, 14, 1);
    // `inner` lies in `land`, but has the direction of an outer ring.
    expect(read({ land, inner, stray })).toEqual([['land'], ['inner'], ['stray']]);
    expect(read({ land, lake, island, inner, stray })).toEqual([['land', 'lake'], ['island'], ['inner'], ['stray']]);
    const reversed = { shore: box(100, 10, 4).toReversed(), bay: box(101, 11, 2) };
    expect(read({ land, inner, ...reversed, stray })).toEqual([['land'], ['inner'], ['shore', 'bay'], ['stray']]);
  });

  it('are found among many rings', () => {
    const rings: Record<string, Position[]> = {};
    for (let i = 0; i < 600; i += 1) {
      rings[`land ${i}`] = box(i % 100, Math.floor(i / 100), 0.9);
      rings[`lake ${i}`] = box((i % 100) + 0.1, Math.floor(i / 100) + 0.1, 0.5).toReversed();
    }
    expect(read(rings)).toEqual(Array.from({ length: 600 }, (_, i) => [`land ${i}`, `lake ${i}`]));
  });
});
