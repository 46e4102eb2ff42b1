import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pointTransform, writeGeoTiff } from '@headwater/raster';
import type { PixelGrid } from '@headwater/core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { areaErrors, percentile } from './area-errors.ts';
import { scoreClassMap } from './score.ts';
import { NO_ZONE, zonePixels } from './score.ts';

describe('areaErrors', () => {
  it('compares class areas above the limit and ranks their relative errors', () => {
    const area = (
      trueHa: number,
      mappedHa: number,
    ): { zone: string; code: number; trueHa: number; mappedHa: number } => ({ zone: 'z', code: 6, trueHa, mappedHa });
    const errors = areaErrors([area(20, 0), area(100, 90), area(50, 51), area(40, 40)], 20);
    expect(errors).toMatchObject({ count: 3, worst: [{ trueHa: 100 }, { trueHa: 50 }, { trueHa: 40 }] });
    expect(errors.median).toBeCloseTo(0.02, 12);
    expect(errors.p95).toBeCloseTo(0.02 + 0.9 * 0.08, 12);
    expect(areaErrors([], 20).median).toBeNaN();
  });

  it('interpolates percentiles as NumPy does', () => {
    expect(percentile([1, 2, 3, 4], 0.5)).toBe(2.5);
    expect(percentile([7], 0.95)).toBe(7);
  });
});

const UTM: PixelGrid = {
  crs: 'EPSG:32644',
  west: 234_600,
  north: 1_938_600,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 60,
  rows: 40,
};

type Box = readonly [left: number, top: number, right: number, bottom: number];

function rectangle([left, top, right, bottom]: Box): { type: 'Polygon'; coordinates: number[][][] } {
  const toLonLat = pointTransform(UTM.crs, 'EPSG:4326');
  const corners = [
    [left, bottom],
    [right, bottom],
    [right, top],
    [left, top],
    [left, bottom],
  ] as const;
  return {
    type: 'Polygon',
    coordinates: [corners.map(([col, row]) => [...toLonLat(UTM.west + col * 10, UTM.north - row * 10)])],
  };
}

describe('zonePixels', () => {
  it('selects the pixels with centres inside of the polygon and outside of its holes', () => {
    const outer = rectangle([10.2, 5, 20.6, 15]);
    const holed = {
      type: 'Polygon' as const,
      coordinates: [...outer.coordinates, ...rectangle([12, 8, 14, 10]).coordinates],
    };
    const zones = zonePixels(UTM, [holed]);
    expect(zones.filter((zone) => zone === 0)).toHaveLength(11 * 10 - 4);
    expect([
      zones[5 * 60 + 10],
      zones[5 * 60 + 20],
      zones[5 * 60 + 21],
      zones[9 * 60 + 13],
      zones[15 * 60 + 10],
    ]).toEqual([0, 0, NO_ZONE, NO_ZONE, NO_ZONE]);
  });
});

describe('scoreClassMap', () => {
  let dir = '';
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'score-'));
  });
  afterAll(() => rm(dir, { recursive: true, force: true }));

  it('compares the pixels of a UTM truth with the lon/lat map at the same places, and sums areas by zone', async () => {
    const truth = Uint8Array.from({ length: 2400 }, (_, i) => (i % 60 < 30 ? 6 : 8));
    await writeGeoTiff(join(dir, 'truth.tif'), {
      grid: UTM,
      data: truth,
      nodata: 0,
      overviews: 'none',
      predictor: 1,
      tileSize: 512,
    });
    const toUtm = pointTransform('EPSG:4326', UTM.crs);
    const [west, north] = pointTransform(UTM.crs, 'EPSG:4326')(UTM.west - 50, UTM.north + 50);
    const grid: PixelGrid = {
      crs: 'EPSG:4326',
      west,
      north,
      pixelWidth: 1e-5,
      pixelHeight: 1e-5,
      cols: 700,
      rows: 520,
    };
    const data = Uint8Array.from({ length: 700 * 520 }, (_, i) => {
      const [x] = toUtm(west + ((i % 700) + 0.5) * 1e-5, north - (Math.floor(i / 700) + 0.5) * 1e-5);
      return x < UTM.west + 330 ? 6 : 8;
    });
    await writeGeoTiff(join(dir, 'map.tif'), { grid, data, nodata: 0, overviews: 'none', predictor: 1, tileSize: 512 });
    const zones = [{ uid: '1_1', geometry: rectangle([20, 10, 40, 20]) }];
    const { confusion, areas } = await scoreClassMap({
      map: join(dir, 'map.tif'),
      truth: join(dir, 'truth.tif'),
      zones,
    });
    // Columns 30 to 32 are crop in the truth and trees on the map.
    expect([confusion.total, confusion.count(6, 6), confusion.count(8, 6), confusion.count(8, 8)]).toEqual([
      200, 100, 30, 70,
    ]);
    const tree = areas.find(({ code }) => code === 6)!;
    expect(tree.mappedHa / tree.trueHa).toBeCloseTo(1.3, 12);
    // 100 pixels of 100 m2. UTM stretches the ground here by 1.00047 in both directions.
    expect(tree.trueHa).toBeCloseTo(1 / 1.00047 ** 2, 4);
  });
});
