import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sized } from '../../../../scripts/test-length.mjs';
import { polygonAt, polygonise, type PixelPolygons } from './polygonise.ts';
import { labelsReference, ringKey, ringsReference } from './polygons-reference.fixture.ts';

function ringsOf({ corners, ringStarts, rings, starts }: PixelPolygons, polygon: number): string[] {
  return [...rings.subarray(starts[polygon], starts[polygon + 1])].map((ring) => {
    const points: [number, number][] = [];
    for (let i = ringStarts[ring]!; i < ringStarts[ring + 1]!; i++) points.push([corners[2 * i]!, corners[2 * i + 1]!]);
    return ringKey(points);
  });
}

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
  /**
   * `values`: number of distinct values. `width`: number of neighbouring columns with one value. Long runs test the
   * vector code.
   */
  values: fc.integer({ min: 1, max: 5 }),
  width: fc.constantFrom(1, 1, 2, 19),
  seed: fc.nat(),
  connectivity: fc.constantFrom(4, 8),
  skip: fc.constantFrom(undefined, 0, 1),
});

describe('polygonise', () => {
  it('finds the regions, polygons and rings of the reference', async () => {
    const check = async ({
      cols,
      rows,
      type,
      values,
      width,
      seed,
      connectivity,
      skip,
    }: typeof CASES extends fc.Arbitrary<infer C> ? C : never): Promise<void> => {
      const size = { cols, rows };
      const pixels = new type(cols * rows);
      for (let i = 0; i < pixels.length; i++) {
        const place = Math.floor((i % cols) / width) + 100 * Math.floor(i / cols);
        pixels[i] = (Math.imul(place + seed, 2_654_435_761) >>> 13) % values;
      }
      const found = await polygonise(pixels, size, { connectivity, ...(skip === undefined ? {} : { skip }) });
      const [parts, regions] = [labelsReference(pixels, size, 4), labelsReference(pixels, size, connectivity)];
      let polygon = 0;
      for (let part = 0; part <= Math.max(...parts); part++) {
        const first = parts.indexOf(part);
        if (pixels[first] === skip) continue;
        expect([found.values[polygon], found.regions[polygon]]).toEqual([pixels[first], regions[first]]);
        const rings = ringsOf(found, polygon);
        expect(rings.toSorted()).toEqual(ringsReference(parts, size, part).toSorted());
        const areas = rings.map(twiceArea);
        expect(areas.map((area) => area > 0)).toEqual(areas.map((_, i) => i === 0));
        expect(areas.reduce((a, b) => a + b, 0) / 2).toBe(parts.filter((each) => each === part).length);
        polygon++;
      }
      expect(found.values).toHaveLength(polygon);
    };
    await fc.assert(fc.asyncProperty(CASES, check), { seed: 20_261_129, numRuns: sized(60, 5000) });
  });

  it('traces a ring that does not fit into the buffer, and a raster with more rings than fit into the buffer', async () => {
    // The comb has one ring, with two corners for each column.
    const [cols, rows] = [700_001, 3];
    const comb = new Uint8Array(cols * rows).map((_, i) => (i >= 2 * cols || (i % cols) % 2 === 0 ? 1 : 0));
    const { starts, rings, ringStarts } = await polygonise(comb, { cols, rows }, { connectivity: 4, skip: 0 });
    expect([starts.length - 1, rings.length, ringStarts.at(-1)]).toEqual([1, 1, 2 * cols + 2]);
    const dots = new Uint8Array(300 * 300).map((_, i) => ((i % 300) + Math.floor(i / 300)) % 2);
    const found = await polygonise(dots, { cols: 300, rows: 300 }, { connectivity: 8 });
    expect(found.values).toHaveLength(90_000);
    expect(new Set(found.regions).size).toBe(2);
  });

  it('returns polygons in the CRS of a grid', async () => {
    const found = await polygonise(Int16Array.from([5, 5, 7, 5]), { cols: 2, rows: 2 }, { connectivity: 4 });
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

  it('returns nothing for a raster without pixels, and refuses samples of 64 bits', async () => {
    const none = await polygonise(new Uint8Array(0), { cols: 0, rows: 0 }, { connectivity: 4 });
    expect([none.values, none.starts]).toEqual([new Float64Array(0), new Uint32Array(1)]);
    const wide = polygonise(new Float64Array(1), { cols: 1, rows: 1 }, { connectivity: 4 });
    await expect(wide).rejects.toThrow('at most 32 bits');
  });

  it.each([
    ['-9999 of uint8', Uint8Array.of(1, 241), -9999, [1, 241]],
    ['NaN of uint8', Uint8Array.of(1, 0), Number.NaN, [1, 0]],
    ['65536 of uint16', Uint16Array.of(1, 0), 65_536, [1, 0]],
    ['0.5 of int16', Int16Array.of(1, 0), 0.5, [1, 0]],
    ['-0 of int16', Int16Array.of(1, 0), -0, [1]],
    ['-1 of int32', Int32Array.of(1, -1), -1, [1]],
    ['a double beyond float32', Float32Array.of(1, Infinity), 1e300, [1, Infinity]],
    ['a double between two floats', Float32Array.of(1, -9999.9), -9999.9, [1]],
    ['infinity', Float32Array.of(1, Infinity), Infinity, [1]],
  ])('skips only pixels that have the value: %s', async (...[, pixels, skip, values]) => {
    const found = await polygonise(pixels, { cols: 2, rows: 1 }, { connectivity: 4, skip });
    expect([...found.values]).toEqual(values);
  });

  it('treats 0 and -0 as one value, and NaN with different bits as one value', async () => {
    const bits = Uint32Array.of(0, 0x8000_0000, 0x7fc0_0000, 0xffc0_0001, 0x7f80_0001, 0x3f80_0000);
    const pixels = new Float32Array(bits.buffer);
    const valuesOf = async (more: { readonly skip?: number }): Promise<readonly number[]> => {
      const found = await polygonise(pixels, { cols: 6, rows: 1 }, { connectivity: 4, ...more });
      return [...found.values];
    };
    expect(await valuesOf({})).toEqual([0, Number.NaN, 1]);
    expect(await valuesOf({ skip: -0 })).toEqual([Number.NaN, 1]);
    expect(await valuesOf({ skip: Number.NaN })).toEqual([0, 1]);
    // The pixels of the caller must not be changed.
    expect(bits[1]).toBe(0x8000_0000);
  });

  it('refuses more corners than the limit, in many rings or in one', async () => {
    const dots = new Uint8Array(200 * 200).map((_, i) => ((i % 200) + Math.floor(i / 200)) % 2);
    const many = (most: number): Promise<PixelPolygons> =>
      polygonise(dots, { cols: 200, rows: 200 }, { connectivity: 4, most });
    await expect(many(159_999)).rejects.toMatchObject({ code: 'input_data', message: /more than 159999 corners; use/ });
    expect((await many(160_000)).values).toHaveLength(40_000);
    const comb = new Uint8Array(3 * 400_001).map((_, i) => (i >= 800_002 || (i % 400_001) % 2 === 0 ? 1 : 0));
    const one = polygonise(comb, { cols: 400_001, rows: 3 }, { connectivity: 4, skip: 0, most: 200_000 });
    await expect(one).rejects.toThrow('more than 200000 corners');
  });

  it('stops between groups of rings if the signal is aborted', async () => {
    const dots = new Uint8Array(1000 * 1000).map((_, i) => ((i % 1000) + Math.floor(i / 1000)) % 2);
    const controller = new AbortController();
    const { signal } = controller;
    const work = polygonise(dots, { cols: 1000, rows: 1000 }, { connectivity: 4, signal });
    setImmediate(() => controller.abort(new Error('enough')));
    await expect(work).rejects.toThrow('enough');
  });
});
