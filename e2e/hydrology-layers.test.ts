import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demGrid, demHeights, writeSampleDem } from '@headwater/sample-world';
import { accumulatedAreas, createDem, distanceToStreams, streamsOf } from '@headwater/terrain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { FLOW_PIPELINES, SAMPLE as place, SAMPLE_FRAME as frame, SAMPLE_SEED as SEED } from './flow-layers.fixture.ts';
import {
  agreementWith,
  computed,
  type Expected,
  featuresOf,
  pixelsOf,
  positionsOf,
  publishedLayer,
  type PublishedPixels,
} from './published-layers.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const PLACE = 'nirmalgarh_jalsrota';
const body = { state: place.state, district: place.district, block: place.tehsil };
const ROUTES = [
  ['stream_order', 'stream_order_vector task initiated'],
  ['generate_drainage_layer', 'Successfully initiated'],
  ['generate_catchment_area_singleflow', 'Successfully initiated'],
  ['generate_distance_nearest_DL', 'Successfully initiated'],
  ['generate_natural_depression', 'Successfully initiated'],
] as const;
let service: SmallService;

// The DEM ends 3 km outside of the place, so the margin of 5 km is incomplete.
const dem = createDem({ grid: demGrid(frame), heights: demHeights(SEED, frame) });
const streams = streamsOf(dem);

beforeAll(async () => void (service = await startSmallService({ places: [place], pipelines: FLOW_PIPELINES })));
afterAll(() => service.close());

it.each(ROUTES)('%s is rejected without a DEM; the message names the folder for a DEM', async (route) => {
  const { status, body: answer } = await service.compute(body, route);
  expect(status).toBe(409);
  expect(JSON.stringify(answer)).toMatch(/elevation data \(DEM\) of the area is missing.*DATA_DIR\/dem/);
});

const agreement = (pixels: PublishedPixels, of: Omit<Expected, 'dem'>) =>
  agreementWith(pixels, { ...of, dem: dem.grid });

describe('layers of the flow over the sample', () => {
  beforeAll(async () => {
    await writeSampleDem(SEED, frame, join(service.dir, 'dem', 'headwater-sample'));
    for (const [route] of ROUTES) await computed(service, body, route);
  }, 120_000);

  it('respond with the messages of the CoRE Stack backend when they start', async () => {
    for (const [route, text] of ROUTES) {
      const { body: answer } = await service.compute({ ...body, wait: false, overwrite: true }, route);
      expect(answer['Success']).toBe(text);
    }
  });

  it('include a raster of stream orders with the orders of the DEM and a class for each order', async () => {
    const name = `stream_order_${PLACE}_raster`;
    const { item, layer, path } = await publishedLayer(service, 'stream_order', name);
    expect(layer).toMatchObject({ datasetName: 'Stream Order', layerType: 'raster' });
    expect(item?.['id']).toBe('virtapradesh_nirmalgarh_jalsrota_stream_order_raster');
    const pixels = await pixelsOf(path, Uint8Array);
    expect(agreement(pixels, { nodata: 255, expected: (at) => streams.orders[at]! })).toBeGreaterThan(0.999);
    expect(Math.max(...pixels.values.filter((value) => value !== 255))).toBeGreaterThan(1);
    const assets = z.object({
      cog: z.object({ 'classification:classes': z.array(z.object({ value: z.int(), count: z.int() })) }),
    });
    const classes = assets.parse(item?.['assets']).cog['classification:classes'];
    expect(classes).toHaveLength(13);
    for (const { value, count } of classes.slice(0, -1))
      expect(pixels.values.reduce((sum, one) => sum + Number(one === value), 0)).toBe(count);
    const unknown = z.number().parse(classes.at(-1)?.count) / pixels.values.length;
    expect(unknown).toBeGreaterThan(0);
    expect(unknown).toBeLessThan(0.2);
    expect(await readFile(join(service.dir, 'assets', layer?.styleKey ?? ''), 'utf8')).toContain(
      'paletteEntry value="3"',
    );
    expect((await readFile(path.replace(/\.tif$/, '.png'))).length).toBeGreaterThan(100);
  });

  it('have Items that state the margin of the flow computation, and that the DEM covers only a part of the margin', async () => {
    for (const [workspace, name] of [
      ['stream_order', `stream_order_${PLACE}_raster`],
      ['stream_order', `stream_order_${PLACE}_vector`],
      ['drainage', PLACE],
      ['catchment_area_singleflow', `catchment_area_${PLACE}_raster`],
      ['distance_nearest_upstream_DL', `distance_to_drainage_line_${PLACE}_raster`],
      ['natural_depression', `natural_depression_${PLACE}_raster`],
    ] as const) {
      const { item } = await publishedLayer(service, workspace, name);
      expect(item?.['properties']).toMatchObject({
        'headwater:synthetic': true,
        description: expect.stringMatching(
          /^\*\*Made of SYNTHETIC data: .*\*\*\n\n.*pixels of 30 m over the place and .*elevations cover only a part/,
        ),
      });
    }
  });

  it('include shares of orders as a vector and a sheet with the documented columns', async () => {
    const { layer, path } = await publishedLayer(service, 'stream_order', `stream_order_${PLACE}_vector`);
    expect(layer).toMatchObject({ datasetName: 'Stream Order', layerType: 'vector' });
    const features = await featuresOf(path);
    expect(features.map(({ properties }) => properties['uid'])).toEqual(place.mws.map(({ uid }) => uid));
    const table = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'stream_order');
    const names = Array.from({ length: 11 }, (_, index) => `order_${index + 1}_area_percent`);
    expect(table?.columns.map(({ name }) => name)).toEqual(['uid', ...names, 'unknown_order_area_percent']);
    expect(table).toMatchObject({ key: 'uid', itemId: 'virtapradesh_nirmalgarh_jalsrota_stream_order_vector' });
    const sums = features.map(({ properties }) => names.reduce((sum, name) => sum + Number(properties[name]), 0));
    expect(Math.max(...sums)).toBeLessThan(25);
    expect(Math.max(...sums)).toBeGreaterThan(1);
    table?.rows.forEach((row, index) => expect(features[index]?.properties).toMatchObject(row));
  });

  it('include drainage lines that join and are inside the place, and a sheet with their lengths', async () => {
    const { layer, item, path } = await publishedLayer(service, 'drainage', PLACE);
    expect(layer).toMatchObject({ datasetName: 'Drainage', layerType: 'vector' });
    expect(item?.['id']).toBe('virtapradesh_nirmalgarh_jalsrota_drainage_lines_vector');
    const features = await featuresOf(path);
    expect(features.length).toBeGreaterThan(20);
    const byId = new Map(features.map((feature) => [feature.properties['line_id'], feature]));
    const ends = ({ geometry }: (typeof features)[number]) => positionsOf(geometry);
    let joined = 0;
    let unknown = 0;
    for (const feature of features) {
      expect(feature.geometry.type).toBe('MultiLineString');
      const { ORDER: order, upstream_cells: cells } = feature.properties;
      if (order === null) unknown += 1;
      else expect(cells).toBeGreaterThanOrEqual(122);
      expect(Number(feature.properties['upstream_area_ha'])).toBeCloseTo(
        0.09 * Number(feature.properties['upstream_cells']),
        6,
      );
      const next = byId.get(feature.properties['downstream_line_id']);
      if (next === undefined || next.properties['ORDER'] === null) continue;
      expect(Number(next.properties['ORDER'])).toBeGreaterThanOrEqual(Number(feature.properties['ORDER']));
      if (JSON.stringify(ends(feature).at(-1)) === JSON.stringify(ends(next)[0])) joined += 1;
    }
    expect(joined).toBeGreaterThan((features.length - unknown) / 3);
    expect(unknown).toBeGreaterThan(0);
    const table = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'drainage_density');
    const lengths = z.array(z.number());
    const total = (table?.rows ?? []).reduce(
      (sum, row) =>
        lengths.parse(row['stream_order_length_in_km']).reduce((km, one) => km + one, sum) +
        Number(row['unknown_order_length_in_km']),
      0,
    );
    const drawn = features.reduce((sum, { properties }) => sum + Number(properties['length_m']), 0);
    // The sheet lacks lines in slivers at the border, which belong to no micro-watershed.
    expect(Math.abs(total * 1000 - drawn) / drawn).toBeLessThan(0.02);
    expect(await readFile(join(service.dir, 'assets', layer?.styleKey ?? ''), 'utf8')).toContain('SimpleLine');
  });

  it('include catchment areas, distances and depths that match the DEM', async () => {
    const areas = accumulatedAreas(streams.flow);
    const metres = distanceToStreams(dem.grid, streams.orders);
    const expected = {
      catchment_area_singleflow: [`catchment_area_${PLACE}_raster`, (at: number) => areas[at]! / 10_000],
      distance_nearest_upstream_DL: [`distance_to_drainage_line_${PLACE}_raster`, (at: number) => metres[at]!],
      natural_depression: [
        `natural_depression_${PLACE}_raster`,
        (at: number) => streams.flow.filled[at]! - dem.heights[at]!,
      ],
    } as const;
    for (const [workspace, [name, of]] of Object.entries(expected)) {
      const { path } = await publishedLayer(service, workspace, name);
      const pixels = await pixelsOf(path, Float32Array);
      expect(agreement(pixels, { nodata: -9999, expected: of }), workspace).toBeGreaterThan(0.999);
    }
  });
});

it(
  'map_4 starts stream orders and drainage lines, and names the layers without a pipeline',
  { timeout: 60_000 },
  async () => {
    const order = { ...body, map: 'map_4', start_year: 2021, end_year: 2022 };
    const { status, body: answer } = await service.compute(order, 'generate_layer_in_order');
    expect(status).toBe(200);
    expect(JSON.stringify(answer)).toMatch(/stream_order.*generate_drainage_layer/);
    expect(JSON.stringify(answer)).toMatch(/soge_vector/);
  },
);
