import { readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { seed } from '@headwater/ingest';
import {
  createDem,
  edgeContamination,
  drainagePipeline,
  naturalDepressionPipeline,
  streamOrderPipeline,
  streamsOf,
} from '@headwater/terrain';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { computed, featuresOf, pixelsOf, positionsOf, publishedLayer } from './published-layers.fixture.ts';
import { SMALL_DEM, SMALL_PLACE, SMALL_SUMMIT, smallHeight, WHOLE, writeSmallDem } from './small-dem.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const body = { state: SMALL_PLACE.state, district: SMALL_PLACE.district, block: SMALL_PLACE.tehsil };
const bare = { ...SMALL_PLACE, tehsil: 'Bare', mws: [] };
let service: SmallService;

beforeAll(async () => {
  const pipelines = [streamOrderPipeline, drainagePipeline, naturalDepressionPipeline];
  service = await startSmallService({ places: [SMALL_PLACE, SMALL_SUMMIT, bare], pipelines });
});
afterAll(() => service.close());

const make = async (route: string, more: Readonly<Record<string, unknown>> = {}): Promise<unknown> =>
  (await computed(service, { ...body, ...more }, route))['run_id'];

async function orders() {
  const layer = await publishedLayer(service, 'stream_order', 'stream_order_hillside_basin_raster');
  return { ...layer, ...(await pixelsOf(layer.path, Uint8Array)) };
}

async function shares() {
  const { layer } = await publishedLayer(service, 'stream_order', 'stream_order_hillside_basin_vector');
  return (await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'stream_order'))?.rows ?? [];
}

const offsetOf = ({ west, north }: { readonly west: number; readonly north: number }): readonly [number, number] => [
  Math.round((west - SMALL_DEM.west) * 3600),
  Math.round((SMALL_DEM.north - north) * 3600),
];

describe('a DEM in degrees', () => {
  beforeEach(() => writeSmallDem(service.dir, [WHOLE]));

  it('is not warped, and gives the stream orders of the whole DEM, except where water may come from outside of the DEM', async () => {
    await make('stream_order');
    const { grid, values, item } = await orders();
    expect([grid.cols, grid.rows, offsetOf(grid)]).toEqual([80, 80, [200, 200]]);
    const heights = Float32Array.from({ length: 480 * 480 }, (_, at) => smallHeight(at % 480, Math.floor(at / 480)));
    const { flow, orders: expected } = streamsOf(createDem({ grid: SMALL_DEM, heights }));
    const unseen = edgeContamination(flow);
    let unknown = 0;
    values.forEach((value, at) => {
      const source = (200 + Math.floor(at / 80)) * 480 + 200 + (at % 80);
      expect(value).toBe(unseen[source] === 0 ? expected[source] : 255);
      if (value === 255) unknown += 1;
    });
    expect(Math.max(...values.filter((value) => value !== 255))).toBeGreaterThan(1);
    expect(await shares()).toMatchObject([{ unknown_order_area_percent: 0 }, { unknown_order_area_percent: 0 }]);
    // The two percentages are only about equal, because the service measures within the outline of the place, widened
    // by two pixels.
    const { properties } = z.object({ properties: z.record(z.string(), z.unknown()) }).parse(item);
    expect(properties['headwater:unknown_catchment_percent']).toBeCloseTo((100 * unknown) / values.length, 0);
    expect(properties).toMatchObject({
      description: expect.stringMatching(/10 km to the west of it; .*The catchments of all pixels are complete\./),
      'headwater:flow_window': 'complete',
      'headwater:flow_margin_km': [5, 5, 5, 10],
      'headwater:stream_hectares': 11,
    });
  });

  it('gives the same result in two adjacent tiles as in one', async () => {
    await make('stream_order');
    await make('generate_drainage_layer');
    const one = await orders();
    const line = await publishedLayer(service, 'drainage', 'hillside_basin');
    const lines = await readFile(line.path, 'utf8');
    await writeSmallDem(service.dir, [
      [0, 0, 237, 480],
      [237, 0, 480, 480],
    ]);
    await make('stream_order');
    await make('generate_drainage_layer');
    const two = await orders();
    expect(two.path).not.toBe(one.path);
    expect(two.values).toEqual(one.values);
    const again = await publishedLayer(service, 'drainage', 'hillside_basin');
    expect(await readFile(again.path, 'utf8')).toBe(lines);
    expect((await featuresOf(again.path)).length).toBeGreaterThan(10);
  });

  it('gives a stored result that is reused until a tile around the place is removed', async () => {
    await writeSmallDem(service.dir, [
      [0, 0, 300, 480],
      [300, 0, 480, 480],
    ]);
    const first = await make('stream_order');
    expect(await make('stream_order')).toBe(first);
    await rm(join(service.dir, 'dem', 'small', 'part-1.tif'));
    const second = await make('stream_order');
    expect(second).not.toBe(first);
    const { item } = await orders();
    expect(JSON.stringify(item)).toMatch(/elevations cover only a part of this area/);
    expect(await make('stream_order')).toBe(second);
  });

  it('gives a new result if the micro-watersheds have changed', async () => {
    const first = await make('stream_order');
    const { stores } = service.headwater;
    await seed(stores, { bundles: [{ ...SMALL_PLACE, mws: SMALL_PLACE.mws.slice(0, 1) }] });
    expect(await make('stream_order')).not.toBe(first);
    expect(await shares()).toHaveLength(1);
    await seed(stores, { bundles: [SMALL_PLACE] });
  });

  it('is rejected if it covers only a part of the place; the message names the folder for the rest', async () => {
    await writeSmallDem(service.dir, [[0, 0, 250, 480]]);
    const { status, body: answer } = await service.compute({ ...body, overwrite: true }, 'stream_order');
    expect(status).toBe(409);
    expect(JSON.stringify(answer)).toMatch(/elevation data \(DEM\) of the area is missing.*DATA_DIR\/dem/);
  });
});

describe('nodata of a DEM', () => {
  it('has no stream order; its pixels are counted in the Item and excluded from the shares', async () => {
    const isHole = (col: number, row: number): boolean => col >= 245 && col < 260 && row >= 210 && row < 240;
    await writeSmallDem(service.dir, [WHOLE], (col, row) => (isHole(col, row) ? Number.NaN : smallHeight(col, row)));
    await make('stream_order');
    const { values, grid, item } = await orders();
    values.forEach((value, at) => {
      if (isHole(200 + (at % grid.cols), 200 + Math.floor(at / grid.cols))) expect(value).toBe(255);
    });
    const unknown = values.filter((value) => value === 255).length;
    expect(unknown).toBeGreaterThan(450);
    expect(unknown).toBeLessThan(900);
    expect(JSON.stringify(item)).toContain(`"nodata":true,"count":${unknown}`);
    expect((await shares()).every((row) => typeof row['order_1_area_percent'] === 'number')).toBe(true);
    await make('generate_natural_depression');
    const depth = await publishedLayer(service, 'natural_depression', 'natural_depression_hillside_basin_raster');
    const depths = (await pixelsOf(depth.path, Float32Array)).values;
    expect(depths.filter((value) => value === -9999)).toHaveLength(450);
    expect(Math.min(...depths.filter((value) => value !== -9999))).toBe(0);
  });

  it('gives null in a micro-watershed without elevations', async () => {
    await writeSmallDem(service.dir, [WHOLE], (col, row) => (col >= 239 ? Number.NaN : smallHeight(col, row)));
    await make('stream_order');
    const [west, east] = await shares();
    expect(west?.['order_1_area_percent']).toBeGreaterThan(0);
    expect(east).toMatchObject({ uid: '12_800002', order_1_area_percent: null, order_11_area_percent: null });
    await make('generate_drainage_layer');
    const { path } = await publishedLayer(service, 'drainage', 'hillside_basin');
    const positions = (await featuresOf(path)).flatMap(({ geometry }) => positionsOf(geometry));
    const reach = Math.max(...positions.map(([longitude = NaN]) => longitude));
    expect(reach).toBeLessThanOrEqual(77 + 239 / 3600);
  });

  it('ends streams if the nodata pixels are sea; flat land drains into the sea', async () => {
    const plain = (col: number, row: number): number => {
      if (col >= 278) return Number.NaN;
      return Math.hypot(col - 225, row - 240) < 6 ? 2 : 5;
    };
    await writeSmallDem(service.dir, [WHOLE], plain);
    await make('stream_order');
    const { values } = await orders();
    expect(values.some((value) => value > 0 && value < 255)).toBe(true);
    await make('generate_natural_depression');
    const depth = await publishedLayer(service, 'natural_depression', 'natural_depression_hillside_basin_raster');
    const { values: depths } = await pixelsOf(depth.path, Float32Array);
    expect(Math.max(...depths)).toBe(3);
    expect(depths.filter((value) => value === 3)).toHaveLength(109);
  });
});

it('a place without micro-watersheds gets the raster and the lines, but no sheets', async () => {
  await writeSmallDem(service.dir, [WHOLE]);
  await make('stream_order', { block: 'Bare' });
  await make('generate_drainage_layer', { block: 'Bare' });
  const { layers } = await service.published();
  const { tehsilId } = layers.find(({ layerName }) => layerName === 'hillside_bare') ?? { tehsilId: 0 };
  expect(layers.flatMap((layer) => (layer.tehsilId === tehsilId ? [layer.layerName] : []))).toEqual([
    'hillside_bare',
    'stream_order_hillside_bare_raster',
  ]);
  expect(await service.headwater.stores.data.tablesOf(tehsilId)).toEqual([]);
});

it('a tehsil without drainage lines gets a layer without features, and densities of zero', async () => {
  // On the top of a cone, water leaves the place before it forms a stream.
  await writeSmallDem(service.dir, [WHOLE], (col, row) => 500 - Math.hypot(col - 240, row - 240));
  await make('generate_drainage_layer', { block: 'Summit' });
  const { layer, item, path } = await publishedLayer(service, 'drainage', 'hillside_summit');
  expect(await featuresOf(path)).toEqual([]);
  expect(item?.['properties']).toMatchObject({ 'table:row_count': 0 });
  expect(await readFile(path.replace(/\.geojson$/, '.png'))).not.toHaveLength(0);
  const sheet = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'drainage_density');
  expect(sheet?.rows).toMatchObject([{ uid: '12_800003', drainage_density_std_in_km_per_km2: 0 }]);
});
