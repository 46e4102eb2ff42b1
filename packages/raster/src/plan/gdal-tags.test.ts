import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PixelGrid } from '@headwater/core';
import type { PlanScene } from '@headwater/core/pixel-plan';
import type { ReadRequest } from '@headwater/core/ports';
import { beforeAll, describe, expect, it } from 'vitest';
import { classBlocks } from '../compare/class-blocks.ts';
import { valuesIn } from '../engine.ts';
import { gdalPython, skipWithoutGdal } from '../cog/gdal-oracle.test-helper.ts';
import { writeGeoTiff } from '../cog/geotiff-writer.ts';
import { openRaster } from '../tiff/open-raster.ts';
import { makeScene } from './synthetic-scenes.fixture.ts';
import { testEngine } from './test-engine.fixture.ts';
import { NDVI, plan, quiet } from './test-plans.fixture.ts';

const { engine, folder, scratchDir } = testEngine();
const GRID: PixelGrid = {
  crs: 'EPSG:4326',
  west: 75.5,
  north: 23.5,
  pixelWidth: 0.001,
  pixelHeight: 0.001,
  cols: 32,
  rows: 32,
};
const at = (name: string): string => join(folder, `${name}.tif`);
const DECIMETRES = Int16Array.from({ length: GRID.cols * GRID.rows }, (_, i) => 3000 + ((i * 37) % 500));
const isGone = (i: number): boolean => i % 5 === 0;

const rewrite = (args: readonly string[]): void => void execFileSync('gdal_translate', ['-q', ...args]);

async function read(path: string, more: Partial<ReadRequest> = {}): Promise<Float32Array> {
  const request = { path, grid: GRID, type: 'float32', resampling: 'nearest', nodata: Number.NaN } as const;
  const raster = await engine.read({ ...request, ...more }, quiet());
  const { buffer } = new Uint8Array(readFileSync(join(scratchDir, `${raster.key}.f32`)));
  await engine.release([raster]);
  return new Float32Array(buffer);
}

describe.skipIf(skipWithoutGdal("GDAL's tags"))("GDAL's tags of a file", () => {
  beforeAll(async () => {
    const format = { grid: GRID, overviews: 'none', tileSize: 16, predictor: 1 } as const;
    await writeGeoTiff(at('stored'), { ...format, data: DECIMETRES });
    await writeGeoTiff(at('gone'), { ...format, data: Uint8Array.from(DECIMETRES, (_, i) => (isGone(i) ? 0 : 255)) });
    await writeGeoTiff(at('classes'), { ...format, data: Uint8Array.from(DECIMETRES, (_, i) => 1 + (i % 3)) });
    rewrite(['-a_scale', '0.1', '-a_offset', '-100', at('stored'), at('decimetres')]);
    rewrite(['-a_scale', '2', at('classes'), at('scaled-classes')]);
    const py = `
import sys
from osgeo import gdal
gdal.UseExceptions()
gdal.SetConfigOption('GDAL_TIFF_INTERNAL_MASK', 'YES')
folder = sys.argv[1]
gone = gdal.Open(f'{folder}/gone.tif').ReadAsArray()
for name in ('stored', 'classes'):
    d = gdal.GetDriverByName('GTiff').CreateCopy(f'{folder}/masked-{name}.tif', gdal.Open(f'{folder}/{name}.tif'))
    d.CreateMaskBand(gdal.GMF_PER_DATASET); d.GetRasterBand(1).GetMaskBand().WriteArray(gone)
d = gdal.Open(f'{folder}/classes.tif')
d = gdal.GetDriverByName('GTiff').CreateCopy(f'{folder}/masked-nodata.tif', d)
d.GetRasterBand(1).SetNoDataValue(1)
d.CreateMaskBand(gdal.GMF_PER_DATASET); d.GetRasterBand(1).GetMaskBand().WriteArray(gone)
`;
    execFileSync(gdalPython ?? 'python3', ['-c', py, folder]);
  });

  it('are applied when values are read: a DEM stored in decimetres is read in metres', async () => {
    const expected = Float32Array.from(DECIMETRES, (height) => height * 0.1 - 100);
    expect(await read(at('decimetres'))).toEqual(expected);
    expect(await engine.gridOf(at('decimetres'))).toMatchObject({ type: 'float32', nodata: Number.NaN });
    expect(await engine.gridOf(at('stored'))).toMatchObject({ type: 'int16', nodata: null });
  });

  it('are applied when values are read: a mask excludes pixels', async () => {
    const expected = Float32Array.from(DECIMETRES, (height, i) => (isGone(i) ? Number.NaN : height));
    expect(await read(at('masked-stored'))).toEqual(expected);
    // As in GDAL, the nodata value has no effect in a file with a mask.
    expect(await engine.gridOf(at('masked-nodata'))).toMatchObject({ type: 'uint8', nodata: null });
    const file = await openRaster(at('masked-nodata'));
    for (const { byteCounts } of file.levels) byteCounts.fill(0);
    const values = new Float32Array(DECIMETRES.length);
    await file.readValues({ col: 0, row: 0, cols: GRID.cols, rows: GRID.rows }, values);
    file.close();
    expect(values).toEqual(Float32Array.from(DECIMETRES, (_, i) => (isGone(i) ? Number.NaN : 1)));
  });

  it('are applied to sums of values by polygon', async () => {
    const [west, north] = [GRID.west, GRID.north];
    const [east, south] = [west + 0.032, north - 0.032];
    const coordinates = [
      [
        [west, north],
        [east, north],
        [east, south],
        [west, south],
        [west, north],
      ],
    ];
    const zones = [{ id: 'all', geometry: { type: 'Polygon' as const, coordinates } }];
    const { all } = await engine.zonalValues({ path: at('decimetres'), zones }, quiet());
    expect([all?.min, all?.max]).toEqual([expect.closeTo(200, 4), expect.closeTo(249.9, 4)]);
    const masked = await engine.zonalValues({ path: at('masked-stored'), zones }, quiet());
    expect(masked['all']?.pixels).toBe(DECIMETRES.filter((_, i) => !isGone(i)).length);
    await expect(engine.zonal({ path: at('masked-classes'), zones }, quiet())).rejects.toThrow(
      /has an internal mask, which class areas do not support/,
    );
  });

  it('are applied when classes are compared', async () => {
    for (const [name, values] of [
      ['masked-classes', [1, 2, 3]],
      ['masked-nodata', [1, 2, 3]],
      ['scaled-classes', [2, 4, 6]],
    ] as const) {
      const file = await openRaster(at(name));
      const { map, blocks } = classBlocks(file);
      const codes: number[] = [];
      for await (const block of blocks()) codes.push(...block.map);
      file.close();
      expect(map.values.toSorted((a, b) => a - b)).toEqual(values);
      const none = codes.filter((code) => map.values[code] === undefined).length;
      expect(none).toBe(name === 'scaled-classes' ? 0 : DECIMETRES.filter((_, i) => isGone(i)).length);
    }
    const geometries = [0, 1].map((i) => ({ type: 'Point' as const, coordinates: [75.5005 + i * 0.001, 23.4995] }));
    const under = await valuesIn({ path: at('masked-classes'), geometries, most: 9 }, quiet());
    expect([...under.values]).toEqual([Number.NaN, 2]);
  });

  it('are refused when a preview of classes is drawn; the message describes the tags', async () => {
    const drawn = engine.thumbnail({
      path: at('scaled-classes'),
      palette: {},
      size: 32,
      target: join(folder, 'x.png'),
    });
    await expect(drawn).rejects.toThrow(
      /scaled-classes.tif: its tags mean value = sample x 2 \+ 0, but previews of classes need/,
    );
  });
});

describe.skipIf(skipWithoutGdal("GDAL's tags"))("GDAL's tags of a scene's band", () => {
  const grid = { ...GRID, crs: 'EPSG:32643', west: 6e5, north: 26e5, pixelWidth: 10, pixelHeight: 10 };
  const scene = async (
    id: string,
    band: { offset: number; scale: number },
    tags: readonly string[],
  ): Promise<PlanScene> => {
    const written = await makeScene(folder, {
      id,
      datetime: '2023-07-10T05:30:00Z',
      grid,
      red: () => 2000,
      scl: () => 4,
    });
    const red = written.bands['red']?.href ?? '';
    const tagged = join(folder, `${id}_tagged.tif`);
    rewrite([...tags, red, tagged]);
    const own = { href: tagged, ...band, nodata: 0 };
    return { ...written, bands: { ...written.bands, red: own, nir: own } };
  };
  let untagged: PlanScene;
  beforeAll(async () => {
    untagged = await scene('untagged', { offset: 0, scale: 0.0001 }, []);
  });
  const skippedOf = async (scene: PlanScene): Promise<readonly string[]> => {
    const { skipped, outputs } = await engine.execute(plan(grid, [scene, untagged], { indices: [NDVI] }), quiet());
    await engine.release(Object.values(outputs));
    return Object.values(skipped);
  };
  const TAGS = ['-a_scale', '0.0001', '-a_offset', '-0.1'];

  it('do not exclude the scene if they agree with its Item', async () => {
    expect(await skippedOf(await scene('agreed', { offset: -1000, scale: 0.0001 }, TAGS))).toEqual([]);
  });

  it('exclude the scene if they differ from its Item', async () => {
    const reasons = await skippedOf(await scene('other', { offset: 0, scale: 0.0001 }, TAGS));
    expect(reasons).toEqual([
      expect.stringMatching(/other_tagged.tif: .* DN x 0.0001 \+ -0.1, but its Item means \(DN \+ 0\) x 0.0001/),
    ]);
  });
});
