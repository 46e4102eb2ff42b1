import { join } from 'node:path';
import { boxOf, type PixelGrid } from '@headwater/core';
import { sampleFrame, samplePlace } from '@headwater/sample-world';
import { validateItem } from '@headwater/stac';
import {
  createDem,
  mwsConnectivityPipeline,
  slopePercent,
  slopePercentagePipeline,
  terrainDescriptorPipeline,
  terrainRasterPipeline,
} from '@headwater/terrain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { arcSecondGrid, paintedHills, writePaintedDem } from './painted-dem.fixture.ts';
import { pixelsOf } from './published-layers.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const place = samplePlace(7, sampleFrame(4));
const body = { state: place.state, district: place.district, block: place.tehsil };
const grid = arcSecondGrid(boxOf(place.mws.map(({ geometry }) => geometry)));

let service: SmallService;
beforeAll(async () => {
  const pipelines = [
    slopePercentagePipeline,
    terrainRasterPipeline,
    terrainDescriptorPipeline,
    mwsConnectivityPipeline,
  ];
  service = await startSmallService({ places: [place], pipelines });
  await writePaintedDem(join(service.dir, 'dem'), grid, paintedHills);
});
afterAll(() => service.close());

const names = async (): Promise<readonly string[]> =>
  (await service.published()).layers.map(({ layerName }) => layerName).toSorted();

it('a request for the terrain of micro-watersheds is rejected without landforms; with_dependencies computes them first', async () => {
  expect(await service.compute(body, 'generate_terrain_descriptor')).toMatchObject({ status: 409 });
  expect(await names()).toEqual([]);
  const request = { ...body, with_dependencies: true };
  expect(await service.compute(request, 'generate_terrain_descriptor')).toMatchObject({ status: 200 });
  expect(await names()).toEqual(['nirmalgarh_jalsrota_cluster', 'nirmalgarh_jalsrota_terrain_raster']);
  const { items } = await service.published();
  for (const { item } of items)
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  const descriptor = items.find(({ id }) => id.endsWith('terrain_vector'))?.item;
  expect(descriptor).toMatchObject({ properties: { attribution: 'Heights painted by hand' } });
  expect(JSON.stringify(descriptor?.['links'])).toMatch(
    /derived_from[^}]*terrain_raster|terrain_raster[^}]*derived_from/,
  );
});

it('landforms of a DEM in degrees have the pixels of the DEM', async () => {
  const { grid: own, values } = await pixelsOf(await rasterOf('terrain'), Uint8Array);
  expectSamePixels(own);
  expect(new Set(values.filter((code) => code > 0)).size).toBeGreaterThanOrEqual(5);
});

it('slopes of a DEM in degrees have the pixels of the DEM; each pixel has the slope of its position in the DEM', async () => {
  expect(await service.compute(body, 'generate_slope_percentage')).toMatchObject({ status: 200 });
  const { grid: own, values } = await pixelsOf(await rasterOf('slope_percentage'), Float32Array);
  const [row0, col0] = expectSamePixels(own);
  const heights = Float32Array.from({ length: grid.rows * grid.cols }, (_, at) =>
    paintedHills(Math.floor(at / grid.cols), at % grid.cols),
  );
  const expected = slopePercent(createDem({ grid, heights }));
  const compared = [...values].flatMap((value, at) => {
    const [row, col] = [row0 + Math.floor(at / own.cols), col0 + (at % own.cols)];
    return value === -9999 ? [] : [Math.abs(value - (expected[row * grid.cols + col] ?? Number.NaN))];
  });
  expect(compared.length).toBeGreaterThan(5000);
  expect(Math.max(...compared)).toBeLessThan(1e-3);
});

async function rasterOf(workspace: string): Promise<string> {
  const { layers } = await service.published();
  const layer = layers.find((one) => one.workspace === workspace && one.layerType === 'raster');
  return join(service.dir, 'assets', layer?.assetKey ?? '');
}

/** Returns the row and column of the DEM at which a grid begins. Fails if the grid is not aligned to the DEM. */
function expectSamePixels(own: PixelGrid): readonly [number, number] {
  expect([own.crs, own.pixelWidth]).toEqual(['EPSG:4326', grid.pixelWidth]);
  const [row, col] = [(grid.north - own.north) / grid.pixelHeight, (own.west - grid.west) / grid.pixelWidth];
  expect(row).toBeCloseTo(Math.round(row), 6);
  expect(col).toBeCloseTo(Math.round(col), 6);
  return [Math.round(row), Math.round(col)];
}

it.each([
  'generate_terrain_raster',
  'generate_slope_percentage',
  'generate_terrain_descriptor',
  'generate_mws_connectivity_data',
])('%s reuses the stored result until the polygons of the place change', async (route) => {
  await service.headwater.stores.places.saveBundle(place);
  const keys = async (): Promise<readonly string[]> => {
    expect(await service.compute({ ...body, with_dependencies: true }, route)).toMatchObject({ status: 200 });
    return (await service.published()).layers.map(({ assetKey }) => assetKey).toSorted();
  };
  const before = await keys();
  expect(await keys()).toEqual(before);
  await service.headwater.stores.places.saveBundle({ ...place, mws: place.mws.slice(1) });
  expect(await keys()).not.toEqual(before);
});
