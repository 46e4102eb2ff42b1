import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { ReadRequest } from '@headwater/core/ports';
import { beforeAll, describe, expect, it } from 'vitest';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { classBlocks } from '../compare/class-blocks.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { pointTransform } from '../warp/crs.ts';
import { coverageOf } from '../zonal/coverage.ts';
import { centreSpans } from '../compare/centre-spans.ts';
import { areaMap } from './area-map.ts';
import { testEngine } from './test-engine.fixture.ts';
import { quiet } from './test-plans.fixture.ts';

const { engine, folder, scratchDir } = testEngine(2);
const SOUTH = -16.4;
const NORTH = -15.9;

/** Heights that are linear in longitude (0 to 360) and latitude, so that bilinear interpolation is exact. */
const heightAt = (lon: number, lat: number): number => 100 * ((lon + 360) % 360) + 10 * lat;

const degrees = (west: number, east: number, pixel = 0.005): PixelGrid => ({
  crs: 'EPSG:4326',
  west,
  north: NORTH,
  pixelWidth: pixel,
  pixelHeight: pixel,
  cols: Math.round((east - west) / pixel),
  rows: Math.round((NORTH - SOUTH) / pixel),
});
/** Grids in the two UTM zones of Fiji, on both sides of longitude 180. */
const UTM_60: PixelGrid = {
  crs: 'EPSG:32760',
  west: 810_000,
  north: 8_230_000,
  pixelWidth: 200,
  pixelHeight: 200,
  cols: 110,
  rows: 60,
};
const UTM_1: PixelGrid = { ...UTM_60, crs: 'EPSG:32701', west: 168_000 };

function valuesOf(grid: PixelGrid): Float32Array {
  const toLonLat = pointTransform(grid.crs, 'EPSG:4326');
  return Float32Array.from({ length: grid.cols * grid.rows }, (_, i) => {
    const [col, row] = [i % grid.cols, Math.floor(i / grid.cols)];
    return heightAt(
      ...toLonLat(grid.west + (col + 0.5) * grid.pixelWidth, grid.north - (row + 0.5) * grid.pixelHeight),
    );
  });
}

const SOURCES = {
  'west.tif': degrees(179.5, 180),
  'east.tif': degrees(-180, -179.5),
  'from-179.tif': degrees(179.5, 180.5),
  'to--179.tif': degrees(-180.5, -179.5),
  'earth.tif': degrees(-180, 180, 0.1),
  'utm-60.tif': { ...UTM_60, west: 780_000, north: 8_240_000, cols: 400, rows: 300 },
  'utm-1.tif': { ...UTM_1, west: 130_000, north: 8_240_000, cols: 400, rows: 300 },
};
const path = (name: string): string => join(folder, name);
beforeAll(async () => {
  for (const [name, grid] of Object.entries(SOURCES))
    await writeGeoTiff(path(name), { grid, data: valuesOf(grid), overviews: 'none', predictor: 3, tileSize: 128 });
});

async function read(names: readonly string[], grid: PixelGrid): Promise<Float32Array> {
  const request: ReadRequest = { path: names.map(path), grid, type: 'float32', resampling: 'bilinear', nodata: -1 };
  const raster = await engine.read(request, quiet());
  const { buffer } = new Uint8Array(readFileSync(join(scratchDir, `${raster.key}.f32`)));
  await engine.release([raster]);
  return new Float32Array(buffer);
}

describe('reading on both sides of 180 degrees', () => {
  const targets = {
    'UTM 60': UTM_60,
    'UTM 1': UTM_1,
    '179.9 to 180.1': { ...degrees(179.9, 180.1), north: NORTH - 0.1, rows: 50 },
    '-180.1 to -179.9': { ...degrees(-180.1, -179.9), north: NORTH - 0.1, rows: 50 },
  };
  const sources = [
    ['west.tif', 'east.tif'],
    ['from-179.tif'],
    ['to--179.tif'],
    ['earth.tif'],
    ['utm-60.tif'],
    ['utm-1.tif'],
  ];
  it.each(Object.entries(targets).flatMap(([name, grid]) => sources.map((names) => ({ name, grid, names }))))(
    '$name from $names',
    async ({ grid, names }) => {
      const [values, expected] = [await read(names, grid), valuesOf(grid)];
      const furthest = values.reduce((most, value, i) => Math.max(most, Math.abs(value - (expected[i] ?? 0))), 0);
      // Limits in metres. The limit for `earth.tif` is higher, because this raster is flat for half a pixel at 180
      // degrees.
      expect(furthest).toBeLessThan(names[0] === 'earth.tif' ? 5.1 : 0.2);
    },
  );
});

describe('other work across 180 degrees', () => {
  const [left, right] = [degrees(179.9, 180), degrees(-180, -179.9)];
  const ring = ({ west, pixelWidth, cols }: PixelGrid): [number, number][] => {
    const east = west + cols * pixelWidth;
    return [
      [west, SOUTH],
      [east, SOUTH],
      [east, NORTH],
      [west, NORTH],
      [west, SOUTH],
    ];
  };
  /** The area is cut at 180 degrees, as GeoJSON recommends. */
  const split = { type: 'MultiPolygon' as const, coordinates: [[ring(left)], [ring(right)]] };

  it.each([degrees(179.5, 180.5), degrees(-180.5, -179.5)])('polygons are placed on a grid from $west', (grid) => {
    const { start, from, to, fraction } = coverageOf(split, grid);
    const first = Array.from({ length: (start[1] ?? 0) - (start[0] ?? 0) }, (_, i) => i);
    expect(first.reduce((sum, i) => sum + ((to[i] ?? 0) - (from[i] ?? 0)) * (fraction[i] ?? 0), 0)).toBeCloseTo(40, 6);
    const pixels = centreSpans(split, grid).filter(({ row }) => row === 50);
    expect(pixels.map((span) => [span.from, span.to])).toEqual([[80, 120]]);
    const { touched, cols } = areaMap(grid, split.coordinates);
    const line = touched.subarray(cols * 5, cols * 6);
    expect([line.indexOf(1), line.lastIndexOf(1)]).toEqual([9, 15]);
  });

  it('a polygon around the Earth covers all columns of each grid', () => {
    const all = { type: 'Polygon' as const, coordinates: [ring(degrees(-180, 180))] };
    for (const grid of [degrees(70, 80), degrees(-180, 180, 0.1), degrees(179.5, 180.5)])
      expect(centreSpans(all, grid).filter(({ row }) => row === 2)).toEqual([{ row: 2, from: 0, to: grid.cols }]);
  });

  it.each(['from-179.tif', 'to--179.tif', 'earth.tif'])(
    'classes of a UTM map are compared with the classes of %s',
    async (name) => {
      const [map, classes] = [path('map.tif'), path(`classes-of-${name}`)];
      const rewrite = async (to: string, grid: PixelGrid): Promise<void> => {
        const data = Uint8Array.from(valuesOf(grid), (height) => (height - 10 * NORTH > 18_000 ? 2 : 1));
        await writeGeoTiff(to, { grid, data, overviews: 'none', predictor: 1, tileSize: 128 });
      };
      await rewrite(map, UTM_60);
      await rewrite(classes, SOURCES[name as keyof typeof SOURCES]);
      const files = [await openRaster(map), await openRaster(classes)] as const;
      const { blocks } = classBlocks(...files);
      for await (const block of blocks())
        expect(block.reference.filter((code) => code === 255)).toEqual(new Uint8Array(0));
      for (const file of files) file.close();
    },
  );
});
