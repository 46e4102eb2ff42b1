import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { PixelGrid, WorkContext } from '@headwater/core';
import type { Polygon } from 'geojson';
import { createScratchSpace } from '../files/scratch-space.ts';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { gdalPython, inspectWithGdal, rawLevel, skipWithoutGdal } from './gdal-oracle.test-helper.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { writeCog } from './write-cog.ts';
import { boxPolygon } from '../../../../scripts/boxes.mjs';
import { degreeGrid, STEP } from '../degree-grid.fixture.ts';

const SOURCE: PixelGrid = {
  crs: 'EPSG:32644',
  west: 199_980,
  north: 2_600_040,
  pixelWidth: 10,
  pixelHeight: 10,
  cols: 900,
  rows: 700,
};
/** A grid whose rows are clearly rotated against the rows of SOURCE. Only its right end is outside of SOURCE. */
const TARGET: PixelGrid = degreeGrid({
  west: 78.085,
  north: 23.475,
  cols: 901,
  rows: 555,
});
const PALETTE = { 1: [255, 0, 0, 255], 2: [0, 255, 0, 255] } as const;
const quiet: WorkContext = { signal: new AbortController().signal, progress: () => undefined };

const box = ([west, south, east, north]: readonly [number, number, number, number]): Polygon =>
  boxPolygon({ west, south, east, north });
const at = (row: number, col: number): readonly [number, number] => [
  TARGET.west + col * STEP,
  TARGET.north - row * STEP,
];

let folder = '';
let scratch: ScratchSpace;
const values = Uint8Array.from(
  { length: SOURCE.cols * SOURCE.rows },
  (_, i) => 1 + ((Math.imul(i, 2_654_435_761) >>> 9) % 250),
);

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'write-cog-'));
  scratch = createScratchSpace(join(folder, 'scratch'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function source(): Promise<{ key: string; grid: PixelGrid }> {
  const raster = await scratch.create(SOURCE);
  writeFileSync(scratch.pathOf(raster), values);
  return raster;
}

const WARP = `
import sys
from osgeo import gdal
gdal.UseExceptions()
raw, out = sys.argv[1:3]
cols, rows, west, north, step = int(sys.argv[3]), int(sys.argv[4]), *map(float, sys.argv[5:8])
tc, tr, tw, tn, ts = int(sys.argv[8]), int(sys.argv[9]), *map(float, sys.argv[10:13])
import numpy
d = gdal.GetDriverByName('MEM').Create('', cols, rows, 1)
d.WriteArray(numpy.fromfile(raw, numpy.uint8).reshape(rows, cols))
d.SetGeoTransform((west, step, 0, north, 0, -step))
s = gdal.osr.SpatialReference(); s.ImportFromEPSG(32644); d.SetProjection(s.ExportToWkt())
gdal.Warp('', d, format='MEM', dstSRS='EPSG:4326', errorThreshold=0, resampleAlg='near', width=tc, height=tr,
          outputBounds=(tw, tn - tr * ts, tw + tc * ts, tn)).ReadAsArray().tofile(out)
`;

function gdalWarp(raw: string): Buffer {
  const out = join(folder, 'warped.raw');
  const grids = [SOURCE, TARGET].flatMap((g) => [g.cols, g.rows, g.west, g.north, g.pixelWidth].map(String));
  execFileSync(gdalPython ?? 'python3', ['-c', WARP, raw, out, ...grids]);
  return readFileSync(out);
}

describe.skipIf(skipWithoutGdal('writeCog'))('writeCog, compared with GDAL', () => {
  it('warps like gdalwarp -et 0 (nearest) and writes a valid COG', async () => {
    const raster = await source();
    const path = join(folder, 'all.tif');
    const result = await writeCog(
      { raster, grid: TARGET, clip: [box([70, 20, 80, 25])], palette: PALETTE, path },
      quiet,
      { scratch, threads: 2 },
    );
    const report = inspectWithGdal(path, folder, 'none');
    expect(report.problems).toEqual([]);
    expect(report).toMatchObject({ epsg: '4326', nodata: 0, type: 'Byte' });
    const ours = rawLevel(folder, 'level0');
    const theirs = gdalWarp(scratch.pathOf(raster));
    const differing = ours.reduce((sum, value, i) => sum + (value === theirs[i] ? 0 : 1), 0);
    // Only a pixel whose centre is equally near to two source pixels may differ.
    expect(differing / ours.length).toBeLessThan(1e-4);
    expect(theirs.filter((value) => value > 0).length).toBeGreaterThan(0.8 * theirs.length);
    expect(result.histogram).toEqual(Array.from({ length: 256 }, (_, value) => ours.filter((v) => v === value).length));
    expect(result.inside).toBe(ours.length);
  });

  it('clips to the pixels that a polygon touches', async () => {
    const path = join(folder, 'clip.tif');
    const [west, north] = at(10.9, 20.9);
    const [east, south] = at(13.1, 22.1);
    const thin = {
      type: 'Polygon' as const,
      coordinates: [[at(40.5, 40.45), at(40.5, 40.55), at(60.5, 40.5), at(40.5, 40.45)].map((p) => [...p])],
    };
    const clip = [box([west, south, east, north]), thin];
    const result = await writeCog({ raster: await source(), grid: TARGET, clip, palette: PALETTE, path }, quiet, {
      scratch,
      threads: 1,
    });
    inspectWithGdal(path, folder, 'none');
    const pixels = rawLevel(folder, 'level0');
    const withData = [...pixels.entries()]
      .filter(([, value]) => value > 0)
      .map(([i]) => [Math.floor(i / TARGET.cols), i % TARGET.cols]);
    const square = [10, 11, 12, 13].flatMap((row) => [20, 21, 22].map((col) => [row, col]));
    const needle = Array.from({ length: 21 }, (_, i) => [40 + i, 40]);
    expect(withData).toEqual([...square, ...needle]);
    expect(result.inside).toBe(33);
    expect(result.histogram[0]).toBe(TARGET.cols * TARGET.rows - 33);
  });
});

describe('writeCog', () => {
  it('leaves out tiles without data on request', async () => {
    const [west, north] = at(0, 0);
    const [east, south] = at(100, 100);
    const raster = await source();
    const bytes = async (sparse: boolean): Promise<readonly number[]> => {
      const path = join(folder, `sparse-${sparse}.tif`);
      const clip = [box([west, south, east, north])];
      const request = { raster, grid: TARGET, clip, palette: PALETTE, path, sparse };
      await writeCog(request, quiet, { scratch, threads: 1 });
      const file = await openRaster(path);
      const tables = file.layout.levels.map(({ byteCounts }) => [...byteCounts].filter((count) => count > 0).length);
      file.close();
      return tables;
    };
    expect([(await bytes(false))[0], (await bytes(true))[0]]).toEqual([4, 1]);
  });

  it('reports growing progress up to 1', async () => {
    const shares: number[] = [];
    const context = { ...quiet, progress: (share: number) => void shares.push(share) };
    const path = join(folder, 'progress.tif');
    await writeCog({ raster: await source(), grid: TARGET, clip: [], palette: PALETTE, path }, context, {
      scratch,
      threads: 1,
    });
    expect(shares).toEqual(shares.toSorted((a, b) => a - b));
    expect(shares.length).toBeGreaterThan(3);
    expect(shares.at(-1)).toBe(1);
  });

  it('stops when aborted, and leaves no file', async () => {
    const control = new AbortController();
    const own = mkdtempSync(join(folder, 'aborted-'));
    const context = { signal: control.signal, progress: () => control.abort(new Error('cancelled by its owner')) };
    const request = { raster: await source(), grid: TARGET, clip: [], palette: PALETTE, path: join(own, 'x.tif') };
    await expect(writeCog(request, context, { scratch, threads: 1 })).rejects.toThrow('cancelled by its owner');
    expect(readdirSync(own)).toEqual([]);
  });
});
