import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { decode } from 'fast-png';
import { describe, expect, it } from 'vitest';
import type { PixelGrid, Zone } from '@headwater/core';
import { boxPolygon } from '../../../scripts/boxes.mjs';
import { inspectWithGdal, skipWithoutGdal } from './cog/gdal-oracle.test-helper.ts';
import { writeGeoTiff } from './cog/geotiff-writer.ts';
import { testEngine } from './plan/test-engine.fixture.ts';
import { quiet } from './plan/test-plans.fixture.ts';
import { pointTransform } from './warp/crs.ts';
import { degreeGrid } from './degree-grid.fixture.ts';

const { engine, folder, scratchDir } = testEngine();
const SIDE = 2000;
/** Grid of the terrain model, with pixels of 30 m. The terrain rises by 10 % towards the east. */
const DEM: PixelGrid = {
  crs: 'EPSG:32643',
  west: 499_000,
  north: 2_621_000,
  pixelWidth: 30,
  pixelHeight: 30,
  cols: 740,
  rows: 740,
};
const WORK: PixelGrid = {
  crs: 'EPSG:32643',
  west: 500_000,
  north: 2_620_000,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: SIDE,
  rows: SIDE,
};
const OUT: PixelGrid = degreeGrid({
  west: 75.01,
  north: 23.68,
  cols: 1800,
  rows: 1800,
});

const zone = (id: string, [west, south]: readonly [number, number], size: number): Zone => ({
  id,
  geometry: boxPolygon({ west, south, east: west + size, north: south + size }),
});

describe.skipIf(skipWithoutGdal('a chain of values'))('from a terrain model to a published raster of slopes', () => {
  it(`reads ${SIDE} x ${SIDE} heights, computes slopes, writes them as a COG, computes means of zones, and draws a preview`, async () => {
    const dem = join(folder, 'dem.tif');
    const data = Float32Array.from({ length: DEM.cols * DEM.rows }, (_, i) => 200 + 3 * (i % DEM.cols));
    await writeGeoTiff(dem, { grid: DEM, data, nodata: -9999, overviews: 'average', predictor: 3, tileSize: 256 });
    expect(await engine.gridOf(dem)).toEqual({ ...DEM, type: 'float32', nodata: -9999 });

    const nodata = -9999;
    const height = await engine.read(
      { path: dem, grid: WORK, type: 'float32', resampling: 'bilinear', nodata },
      quiet(),
    );
    const block = {
      module: new URL('./plan/value-blocks.fixture.ts', import.meta.url).href,
      export: 'slope',
      params: {},
    };
    const outputs = [{ name: 'slope', type: 'float32' }] as const;
    const { outputs: made, value } = await engine.whole(
      { kind: 'whole', grid: WORK, inputs: { height }, block, outputs },
      quiet(),
    );
    const { slope } = made;
    if (slope === undefined) throw new Error('there is no slope');
    expect(value).toMatchObject({ top: { col: SIDE - 1, row: 0 } });

    const path = join(folder, 'slope.tif');
    const clip = [zone('clip', [75.02, 23.53], 0.14).geometry];
    const written = await engine.writeCog(
      { raster: slope, grid: OUT, clip, nodata, overviews: 'average', description: 'slope (%)', path },
      quiet(),
    );
    await engine.release([height, slope]);
    expect(readdirSync(scratchDir)).toEqual([]);
    expect(inspectWithGdal(path, folder, 'none')).toMatchObject({
      problems: [],
      type: 'Float32',
      nodata,
      predictor: '3',
    });
    expect(written.statistics?.mean).toBeCloseTo(10, 2);
    expect(written.statistics?.maximum).toBeCloseTo(10, 2);

    const zones = [zone('12_1', [75.05, 23.55], 0.02), zone('12_2', [75.08, 23.6], 0.01)];
    const found = await engine.zonalValues({ path, zones }, quiet());
    expect(found['12_1']?.mean).toBeCloseTo(10, 2);
    const [ha1, ha2] = [found['12_1']?.areaHa ?? 0, found['12_2']?.areaHa ?? 0];
    expect(ha1 / ha2).toBeCloseTo(4, 2);
    expect(ha2).toBeCloseTo(areaOf(75.08, 23.6, 0.01), 0);

    const target = join(folder, 'slope.png');
    const ramp = [
      { value: 0, color: [255, 255, 255, 255] },
      { value: 20, color: [55, 55, 55, 255] },
    ] as const;
    await engine.thumbnail({ path, ramp, size: 512, target });
    const image = decode(readFileSync(target), { checkCrc: true });
    const middle = (256 * image.width + 256) * 4;
    expect([...image.data.subarray(middle, middle + 4)].map(Number)).toEqual([155, 155, 155, 255]);
    expect([...image.data.subarray(0, 4)].map(Number)).toEqual([0, 0, 0, 0]);
  });
});

/** Area in ha from the UTM corners and the scale factor 0.9996 of UTM, without the tested zonal code. */
function areaOf(west: number, south: number, size: number): number {
  const to = pointTransform('EPSG:4326', 'EPSG:32643');
  const corners = [to(west, south), to(west + size, south), to(west + size, south + size), to(west, south + size)];
  const twice = corners.reduce((sum, [x, y], i) => {
    const [u, v] = corners[(i + 1) % 4] ?? [0, 0];
    return sum + x * v - u * y;
  }, 0);
  return twice / 2 / 0.9996 ** 2 / 1e4;
}
