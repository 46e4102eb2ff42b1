import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { Polygon } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CogPixels } from '../cog/cog-image.ts';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { pointTransform } from '../warp/crs.ts';
import { coverageOf } from '../zonal/coverage.ts';
import { pixelAreasM2 } from '@headwater/core/geo';
import { centreSpans } from './centre-spans.ts';
import { classBlocks } from './class-blocks.ts';
import { areaRuns } from './ground-area.ts';
import { NO_CODE, PixelCodes } from './pixel-codes.ts';
import { valuesAtPixels } from './values-at.ts';

const UTM: PixelGrid = {
  crs: 'EPSG:32644',
  west: 234_600,
  north: 1_938_600,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 1300,
  rows: 1100,
};
const toLonLat = pointTransform(UTM.crs, 'EPSG:4326');
const at = (col: number, row: number): [number, number] => [...toLonLat(UTM.west + col * 10, UTM.north - row * 10)];
const ring = (points: readonly (readonly [number, number])[]): [number, number][] =>
  [...points, ...points.slice(0, 1)].map(([col, row]) => at(col, row));
const box = (...[left, top, right, bottom]: readonly [number, number, number, number]): [number, number][] =>
  ring([
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ]);

let folder = '';
const open: RasterFile[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'compare-'));
});
afterAll(async () => {
  for (const file of open) file.close();
  await rm(folder, { recursive: true, force: true });
});

async function raster(grid: PixelGrid, data: CogPixels, nodata?: number): Promise<RasterFile> {
  const path = join(folder, `${open.length}.tif`);
  const format = {
    overviews: 'none',
    predictor: 1,
    tileSize: 256,
    ...(nodata === undefined ? {} : { nodata }),
  } as const;
  await writeGeoTiff(path, { grid, data, ...format });
  const file = await openRaster(path);
  open.push(file);
  return file;
}

const classAt = (col: number, row: number): number => 1 + (((col >> 5) + 3 * (row >> 5)) % 7);
const fill = (grid: PixelGrid, value: (col: number, row: number) => number): Uint8Array =>
  Uint8Array.from({ length: grid.cols * grid.rows }, (_, i) => value(i % grid.cols, Math.floor(i / grid.cols)));

async function pairsOf(
  map: RasterFile,
  reference: RasterFile,
): Promise<{ mapped: Int16Array; referenceValues: Int16Array }> {
  const size = map.grid.cols * map.grid.rows;
  const [mapped, referenceValues] = [new Int16Array(size).fill(-2), new Int16Array(size).fill(-2)];
  const { blocks, map: codes, reference: others } = classBlocks(map, reference);
  for await (const block of blocks()) {
    const { row, col, cols } = block.window;
    for (let i = 0; i < block.map.length; i += 1) {
      const to = (row + Math.floor(i / cols)) * map.grid.cols + col + (i % cols);
      mapped[to] = codes.values[block.map[i] ?? 0] ?? -1;
      referenceValues[to] = others.values[block.reference[i] ?? 0] ?? -1;
    }
  }
  return { mapped, referenceValues };
}

/** Returns only five differences, because printing a million takes minutes. */
function differing(ours: Int16Array | Float64Array, theirs: Int16Array | Float64Array): readonly string[] {
  expect(ours.length).toBe(theirs.length);
  const places: string[] = [];
  for (let i = 0; i < ours.length && places.length < 5; i += 1)
    if (!Object.is(ours[i], theirs[i])) places.push(`${i}: ${ours[i]}, not ${theirs[i]}`);
  return places;
}

describe('blocks of two rasters', () => {
  it('pair pixels of one grid, also if one raster is shifted by whole pixels and ends inside of the other raster', async () => {
    const map = await raster(UTM, fill(UTM, classAt), 0);
    const grid = { ...UTM, west: UTM.west + 70, north: UTM.north + 130, cols: 900 };
    const reference = await raster(
      grid,
      fill(grid, (col, row) => (col === 5 ? 0 : classAt(col + 7, row - 13))),
    );
    const { mapped, referenceValues } = await pairsOf(map, reference);
    expect(differing(mapped, Int16Array.from(fill(UTM, classAt)))).toEqual([]);
    const expected = (col: number, row: number): number => {
      if (col < 7 || col >= 907 || row + 13 >= 1100) return -1;
      return col === 12 ? 0 : classAt(col, row);
    };
    const all = Int16Array.from({ length: referenceValues.length }, (_, i) => expected(i % 1300, Math.floor(i / 1300)));
    expect(differing(referenceValues, all)).toEqual([]);
  });

  it('use the reference pixel that contains each centre if CRS, resolution and sample type differ', async () => {
    const map = await raster(UTM, fill(UTM, classAt), 0);
    const [west, north] = toLonLat(UTM.west + 2000, UTM.north - 1500);
    const grid = { crs: 'EPSG:4326', west, north, pixelWidth: 0.0003, pixelHeight: 0.0003, cols: 400, rows: 200 };
    const data = Int16Array.from({ length: 80_000 }, (_, i) => (i % 7 === 0 ? -9999 : 100 + ((i * 31) % 9)));
    const { referenceValues } = await pairsOf(map, await raster(grid, data, -9999));
    let [same, near] = [0, 0];
    for (let row = 0; row < 1100; row += 7) {
      for (let col = 0; col < 1300; col += 5) {
        const [lon, lat] = at(col + 0.5, row + 0.5);
        const [c, r] = [(lon - west) / 0.0003, (north - lat) / 0.0003];
        const isIn = c >= 0 && r >= 0 && c < 400 && r < 200;
        const value = isIn ? (data[Math.floor(r) * 400 + Math.floor(c)] ?? -1) : -1;
        const found = referenceValues[row * 1300 + col];
        if (found === (value === -9999 ? -1 : value)) same += 1;
        // Either value is possible near the edge of a reference pixel, because coordinates have an error of up to an
        // eighth of a map pixel.
        else if (Math.min(c % 1, 1 - (c % 1), r % 1, 1 - (r % 1)) < 0.05) near += 1;
      }
    }
    expect(same + near).toBe(260 * 158);
    expect(near).toBeLessThan(40);
  });

  it('use the correct pixels of a reference that is too large to be read at once', async () => {
    const coarse = { ...UTM, pixelWidth: 320, pixelHeight: 320, cols: 40, rows: 34 };
    const fine = { ...UTM, pixelWidth: 2, pixelHeight: 2, cols: 6400, rows: 5440 };
    const map = await raster(
      coarse,
      fill(coarse, () => 1),
    );
    const { referenceValues } = await pairsOf(
      map,
      await raster(
        fine,
        fill(fine, (col, row) => 1 + (((col >> 4) + (row >> 4)) % 9)),
      ),
    );
    expect(referenceValues).toEqual(
      Int16Array.from(
        { length: 40 * 34 },
        (_, i) => 1 + ((((160 * (i % 40) + 80) >> 4) + ((160 * Math.floor(i / 40) + 80) >> 4)) % 9),
      ),
    );
  });

  it('have no reference values if the reference is elsewhere', async () => {
    const map = await raster({ ...UTM, cols: 300, rows: 300 }, new Uint8Array(90_000).fill(3));
    const far = { ...UTM, west: UTM.west + 50_000, cols: 64, rows: 64 };
    const { referenceValues } = await pairsOf(map, await raster(far, new Uint8Array(4096).fill(3)));
    expect(new Set(referenceValues)).toEqual(new Set([-1]));
  });

  it('refuse a raster whose values are not classes', () => {
    const codes = new PixelCodes('/tmp/dem.tif', -1);
    const out = new Uint8Array(300);
    codes.encode(
      Float32Array.from({ length: 255 }, (_, i) => i / 2),
      out,
    );
    codes.encode(Float32Array.of(-1, Number.NaN, 0.5), out);
    expect([...out.subarray(0, 3)]).toEqual([NO_CODE, NO_CODE, 1]);
    expect(() => codes.encode(Float32Array.of(1000), out)).toThrow(
      /\/tmp\/dem\.tif: it has more than 255 different values/,
    );
  });
});

describe('a nodata value, in a float32 file, that no float32 can represent exactly', () => {
  const small = { ...UTM, cols: 4, rows: 1 };
  const floats = Float32Array.of(1, -9999.9, 2, -9999.9);

  it('has no code', async () => {
    const codes = new PixelCodes('', -9999.9);
    const out = new Uint8Array(4);
    codes.encode(floats, out);
    expect([[...out], codes.values]).toEqual([
      [0, NO_CODE, 1, NO_CODE],
      [1, 2],
    ]);
    const { mapped } = await pairsOf(await raster(small, floats, -9999.9), await raster(small, floats));
    expect([...mapped]).toEqual([1, -1, 2, -1]);
  });

  it('is not returned as the value of a pixel', async () => {
    const places = { cols: Int32Array.of(0, 1, 2, 3), rows: new Int32Array(4) };
    const values = await valuesAtPixels(await raster(small, floats, -9999.9), places);
    expect([...values]).toEqual([1, Number.NaN, 2, Number.NaN]);
  });
});

describe('values at pixels', () => {
  it('are returned in the order of the request; nodata and pixels outside of the raster are NaN', async () => {
    const file = await raster(
      UTM,
      fill(UTM, (col, row) => (col === 3 ? 0 : classAt(col, row))),
      0,
    );
    const count = 5000;
    const cols = Int32Array.from({ length: count }, (_, i) => ((i * 7919) % 1320) - 10);
    const rows = Int32Array.from({ length: count }, (_, i) => ((i * 104_729) % 1120) - 10);
    const values = await valuesAtPixels(file, { cols, rows });
    const expected = Float64Array.from({ length: count }, (_, i) => {
      const [col, row] = [cols[i] ?? 0, rows[i] ?? 0];
      return col < 0 || row < 0 || col >= 1300 || row >= 1100 || col === 3 ? Number.NaN : classAt(col, row);
    });
    expect(differing(values, expected)).toEqual([]);
  });
});

describe('pixels of a polygon', () => {
  const pixels = (geometry: Parameters<typeof centreSpans>[0], grid = UTM): number =>
    centreSpans(geometry, grid).reduce((sum, { from, to }) => sum + to - from, 0);
  const hole = box(12, 8, 14, 10);

  it('are the pixels with centres inside of the polygon and not in a hole', () => {
    const spans = centreSpans({ type: 'Polygon', coordinates: [box(10.2, 5, 20.6, 15), hole] }, UTM);
    expect(spans).toHaveLength(12);
    expect(spans.filter(({ row }) => row === 9)).toEqual([
      { row: 9, from: 10, to: 12 },
      { row: 9, from: 14, to: 21 },
    ]);
    expect(pixels({ type: 'Polygon', coordinates: [box(10.2, 5, 20.6, 15), hole] })).toBe(11 * 10 - 4);
  });

  it('are counted once if parts overlap, and end at the edge of the grid', () => {
    const coordinates = [[box(-5, -5, 10, 10)], [box(5, 5, 20, 20)], [box(12, 5, 30, 8)]];
    expect(pixels({ type: 'MultiPolygon', coordinates })).toBe(100 + 15 * 15 - 25 + 10 * 3);
    expect(pixels({ type: 'Polygon', coordinates: [box(2000, 0, 3000, 10)] })).toBe(0);
  });

  it('together have about the area of the polygon, also if its sides are slanted', () => {
    const shape = ring([
      [100, 100],
      [900, 250],
      [700, 950],
      [180, 700],
    ]);
    const area =
      0.5 * Math.abs(100 * 250 - 900 * 100 + 900 * 950 - 700 * 250 + 700 * 700 - 180 * 950 + 180 * 100 - 100 * 700);
    expect(pixels({ type: 'Polygon', coordinates: [shape] }) / area).toBeCloseTo(1, 3);
  });
});

describe('ground areas', () => {
  const total = (grid: PixelGrid): number =>
    areaRuns(grid, { row: 0, col: 0, rows: grid.rows, cols: grid.cols }).reduce(
      (sum, { from, to, m2 }) => sum + (to - from) * m2,
      0,
    );

  it.each([
    ['at the edge of a zone', 170_000, 1_900_000],
    ['on the central meridian of the zone', 497_000, 4_200_000],
    ['beyond the edge of the zone, far north', 780_000, 7_400_000],
  ])('of a UTM grid are equal to the areas of the same box in lon/lat: %s', (_, west, north) => {
    const grid = { ...UTM, west, north, cols: 600, rows: 600 };
    const place = (col: number, row: number): [number, number] => [...toLonLat(west + col * 10, north - row * 10)];
    const side = Array.from({ length: 61 }, (__, i) => i * 10);
    const outline = [
      ...side.map((c) => place(c, 0)),
      ...side.map((r) => place(600, r)),
      ...side.map((c) => place(600 - c, 600)),
      ...side.map((r) => place(0, 600 - r)),
    ];
    const [lons, lats] = [outline.map(([lon]) => lon), outline.map(([, lat]) => lat)];
    const [left, top] = [Math.min(...lons), Math.max(...lats)];
    const step = (Math.max(...lons) - left) / 500;
    const lonLat = {
      crs: 'EPSG:4326',
      west: left,
      north: top,
      pixelWidth: step,
      pixelHeight: step,
      cols: 501,
      rows: Math.ceil((top - Math.min(...lats)) / step) + 1,
    };
    const polygon: Polygon = { type: 'Polygon', coordinates: [outline] };
    const { top: first, rows, start, from, to, fraction } = coverageOf(polygon, lonLat);
    const areas = pixelAreasM2(lonLat);
    let expected = 0;
    for (let row = 0; row < rows; row += 1) {
      for (let run = start[row]!; run < start[row + 1]!; run += 1)
        expected += (to[run]! - from[run]!) * fraction[run]! * areas[first + row]!;
    }
    expect(total(grid) / expected).toBeCloseTo(1, 6);
  });

  it('of a lon/lat grid are the ellipsoidal areas of its rows, for a window that begins at any row', () => {
    const grid = { crs: 'EPSG:4326', west: 75, north: 24, pixelWidth: 1e-4, pixelHeight: 1e-4, cols: 40, rows: 500 };
    const areas = pixelAreasM2(grid);
    const runs = areaRuns(grid, { row: 300, col: 10, rows: 2, cols: 30 });
    expect(runs).toEqual([
      { from: 0, to: 30, m2: expect.closeTo(areas[300]!, 6) },
      { from: 30, to: 60, m2: expect.closeTo(areas[301]!, 6) },
    ]);
  });
});
