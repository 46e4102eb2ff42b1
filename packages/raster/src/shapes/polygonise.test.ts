import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { polygonAt, polygonise, type PixelPolygons } from './polygonise.ts';
import { labelsReference, ringKey, ringsReference } from './polygons-reference.fixture.ts';

/** Rings of a polygon as texts, the exterior first. */
function ringsOf({ corners, ringStarts, rings, starts }: PixelPolygons, polygon: number): string[] {
  return [...rings.subarray(starts[polygon], starts[polygon + 1])].map((ring) => {
    const points: [number, number][] = [];
    for (let i = ringStarts[ring]!; i < ringStarts[ring + 1]!; i++) points.push([corners[2 * i]!, corners[2 * i + 1]!]);
    return ringKey(points);
  });
}

/** Twice the area of a ring, positive for an exterior. */
function twiceArea(ring: string): number {
  const points = ring.split(' ').map((text) => text.split(',').map(Number));
  return points.reduce((sum, [x = 0, y = 0], i) => {
    const [nx = 0, ny = 0] = points[(i + 1) % points.length] ?? [];
    return sum - (x * ny - nx * y);
  }, 0);
}

const TYPES = { Uint8Array, Uint16Array, Int16Array, Uint32Array, Float32Array } as const;
const CASES = fc.record({
  cols: fc.integer({ min: 1, max: 40 }),
  rows: fc.integer({ min: 1, max: 12 }),
  type: fc.constantFrom(...Object.values(TYPES)),
  /** Number of values, and of columns with the same value: long runs take the vector path. */
  values: fc.integer({ min: 1, max: 5 }),
  width: fc.constantFrom(1, 1, 2, 19),
  seed: fc.nat(),
  connectivity: fc.constantFrom(4, 8),
  skip: fc.constantFrom(undefined, 0, 1),
});

describe('polygonise', () => {
  it('finds the regions, polygons and rings of the reference', () => {
    const check = ({
      cols,
      rows,
      type,
      values,
      width,
      seed,
      connectivity,
      skip,
    }: typeof CASES extends fc.Arbitrary<infer C> ? C : never): void => {
      const size = { cols, rows };
      const pixels = new type(cols * rows);
      for (let i = 0; i < pixels.length; i++) {
        const place = Math.floor((i % cols) / width) + 100 * Math.floor(i / cols);
        pixels[i] = (Math.imul(place + seed, 2_654_435_761) >>> 13) % values;
      }
      const found = polygonise(pixels, size, { connectivity, ...(skip === undefined ? {} : { skip }) });
      const [parts, regions] = [labelsReference(pixels, size, 4), labelsReference(pixels, size, connectivity)];
      let polygon = 0;
      for (let part = 0; part <= Math.max(...parts); part++) {
        const first = parts.indexOf(part);
        if (pixels[first] === skip) continue;
        expect([found.values[polygon], found.regions[polygon]]).toEqual([pixels[first], regions[first]]);
        const rings = ringsOf(found, polygon);
        expect(rings.toSorted()).toEqual(ringsReference(parts, size, part).toSorted());
        // The exterior is first, and all areas add up to the pixels of the part.
        const areas = rings.map(twiceArea);
        expect(areas.map((area) => area > 0)).toEqual(areas.map((_, i) => i === 0));
        expect(areas.reduce((a, b) => a + b, 0) / 2).toBe(parts.filter((each) => each === part).length);
        polygon++;
      }
      expect(found.values).toHaveLength(polygon);
    };
    fc.assert(fc.property(CASES, check), { seed: 20_261_129, numRuns: sized(300, 5000) });
  });

  it('traces a ring that is longer than the buffer, and a raster with more rings than the buffer', () => {
    // A comb has one ring with two corners for each column.
    const [cols, rows] = [700_001, 3];
    const comb = new Uint8Array(cols * rows).map((_, i) => (i >= 2 * cols || (i % cols) % 2 === 0 ? 1 : 0));
    const { starts, rings, ringStarts } = polygonise(comb, { cols, rows }, { connectivity: 4, skip: 0 });
    expect([starts.length - 1, rings.length, ringStarts.at(-1)]).toEqual([1, 1, 2 * cols + 2]);
    const dots = new Uint8Array(300 * 300).map((_, i) => ((i % 300) + Math.floor(i / 300)) % 2);
    const found = polygonise(dots, { cols: 300, rows: 300 }, { connectivity: 8 });
    expect(found.values).toHaveLength(90_000);
    expect(new Set(found.regions).size).toBe(2);
  });

  it('returns polygons in the CRS of a grid', () => {
    const found = polygonise(Int16Array.from([5, 5, 7, 5]), { cols: 2, rows: 2 }, { connectivity: 4 });
    const grid = { crs: 'EPSG:4326', west: 70, north: 20, pixelWidth: 0.5, pixelHeight: 0.25, cols: 2, rows: 2 };
    expect(found.values).toEqual(Float64Array.from([5, 7]));
    expect(polygonAt(found, 1, grid)).toEqual({
      type: 'Polygon',
      coordinates: [
        [
          [70.5, 19.5],
          [70.5, 19.75],
          [70, 19.75],
          [70, 19.5],
          [70.5, 19.5],
        ],
      ],
    });
  });

  it('returns nothing for no pixels, and refuses samples of 64 bits', () => {
    expect(polygonise(new Uint8Array(0), { cols: 0, rows: 0 }, { connectivity: 4 }).values).toHaveLength(0);
    expect(() => polygonise(new Float64Array(1), { cols: 1, rows: 1 }, { connectivity: 4 })).toThrow('at most 32 bits');
  });
});
