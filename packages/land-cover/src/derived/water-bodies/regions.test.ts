import { describe, expect, it } from 'vitest';
import { type Region, regionsOf } from './regions.ts';

/** Regions of a mask that is drawn as text; `#` is a set pixel. */
function regions(...lines: readonly string[]): readonly Region[] {
  const pixels = Uint8Array.from(lines.join(''), (sign) => (sign === '#' ? 1 : 0));
  return regionsOf({ cols: lines[0]?.length ?? 0, rows: lines.length, pixels }).regions;
}

type Ring = Region['polygons'][number][number];
const areaOf = (ring: Ring): number =>
  ring.slice(1).reduce((sum, [x, y], i) => sum - ((ring[i]?.[0] ?? 0) * y - x * (ring[i]?.[1] ?? 0)) / 2, 0);

const pixelsByRings = ({ polygons }: Region): number => polygons.flat().reduce((sum, ring) => sum + areaOf(ring), 0);

const isSimple = (ring: Ring): boolean => new Set(ring.map(String)).size === ring.length - 1;

const shapes = (all: readonly Region[]): string[] =>
  all.map(({ pixels, polygons }) => `${pixels}: ${polygons.map((rings) => rings.map(areaOf).join(',')).join(' ')}`);

describe('regions of pixels', () => {
  it('of one pixel have a square as outline, counter-clockwise from its south-eastern corner', () =>
    expect(regions('...', '.#.', '...')).toEqual([
      {
        pixels: 1,
        polygons: [
          [
            [
              [2, 2],
              [2, 1],
              [1, 1],
              [1, 2],
              [2, 2],
            ],
          ],
        ],
      },
    ]));

  it.each<[string, readonly string[], readonly string[]]>([
    ['nothing', ['...', '...'], []],
    ['the whole grid', ['##', '##'], ['4: 4']],
    ['a hole', ['###', '#.#', '###'], ['8: 9,-1']],
    ['two regions that do not touch', ['#.#', '#.#'], ['2: 2', '2: 2']],
    ['pixels that share a corner: one region of two polygons', ['#.', '.#'], ['2: 1 1']],
    ['pixels that share the other corner', ['.#', '#.'], ['2: 1 1']],
    ['pixels around a gap that meet at a corner: the gap is a hole', ['.##', '#.#', '###'], ['7: 8,-1']],
    ['a hole of two pixels that share a corner: two holes', ['####', '#.##', '##.#', '####'], ['14: 16,-1,-1']],
    ['an island within a hole', ['#####', '#...#', '#.#.#', '#...#', '#####'], ['16: 25,-9', '1: 1']],
    ['an island that touches the shore at a corner', ['####', '##.#', '#.##', '####'], ['14: 16,-1,-1']],
    ['two arms that meet farther south: one region', ['#.#', '#.#', '###'], ['7: 7']],
    ['a comb with its teeth to the north', ['#.#.#', '#####'], ['8: 8']],
    ['a stair', ['#...', '.#..', '..#.', '...#'], ['4: 1 1 1 1']],
  ])('%s', (_, picture, expected) => expect(shapes(regions(...picture))).toEqual(expected));

  it.each([1, 2, 3, 4, 5])('have simple and closed rings with the area of their pixels, noise seed %d', (seed) => {
    let state = seed;
    const noise = Array.from({ length: 60 }, () =>
      Array.from({ length: 70 }, () => {
        state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
        return state / 2_147_483_648 < 0.35 + seed / 20 ? '#' : '.';
      }).join(''),
    );
    const found = regions(...noise);
    expect(found.reduce((sum, { pixels }) => sum + pixels, 0)).toBe(noise.join('').replaceAll('.', '').length);
    for (const region of found) {
      expect(pixelsByRings(region)).toBe(region.pixels);
      for (const [exterior, ...holes] of region.polygons) {
        expect(areaOf(exterior ?? [])).toBeGreaterThan(0);
        expect(holes.every((hole) => areaOf(hole) < 0)).toBe(true);
      }
      const rings = region.polygons.flat();
      expect(rings.every(isSimple)).toBe(true);
      expect(rings.every((ring) => String(ring[0]) === String(ring.at(-1)))).toBe(true);
    }
  });
});
