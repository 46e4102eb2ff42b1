import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { demGrid, demHeights, sampleFrame, samplePlace, writeSampleDem } from '@headwater/sample-world';
import {
  createDem,
  slopePercent,
  slopePercentagePipeline,
  terrainRasterPipeline,
  terrainDescriptorPipeline,
} from '@headwater/terrain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { pixelsOf, publishedLayer } from './published-layers.fixture.ts';
import { type SmallService, startSmallService } from '../packages/server/src/small-service.fixture.ts';

const SEED = 7;
const frame = sampleFrame(4);
const place = samplePlace(SEED, frame);
const body = { state: place.state, district: place.district, block: place.tehsil };
let service: SmallService;

beforeAll(async () => {
  service = await startSmallService({
    places: [place],
    pipelines: [slopePercentagePipeline, terrainRasterPipeline, terrainDescriptorPipeline],
  });
});
afterAll(() => service.close());

const published = (workspace: string, layerName: string) => publishedLayer(service, workspace, layerName);

const landformAssets = z.object({
  cog: z.object({ 'classification:classes': z.array(z.object({ value: z.int(), count: z.int() })) }),
});

const descriptors = z.object({
  features: z.array(z.object({ properties: z.record(z.string(), z.union([z.string(), z.number(), z.null()])) })),
});

it('a request for a layer is rejected without a DEM; the message names the folder for a DEM', async () => {
  const { status, body: answer } = await service.compute(body, 'generate_slope_percentage');
  expect(status).toBe(409);
  expect(JSON.stringify(answer)).toMatch(/elevation data \(DEM\) of the area is missing.*DATA_DIR\/dem/);
  const dependent = await service.compute(body, 'generate_terrain_descriptor');
  expect(dependent.status).toBe(409);
  expect(JSON.stringify(dependent.body)).toMatch(
    /layer terrain:nirmalgarh_jalsrota_terrain_raster.*generate_terrain_raster/,
  );
});

it(
  'the slope of the sample is published as a float32 COG, with Item, style and preview',
  { timeout: 60_000 },
  async () => {
    await writeSampleDem(SEED, frame, join(service.dir, 'dem', 'headwater-sample'));
    const { status, body: answer } = await service.compute(body, 'generate_slope_percentage');
    expect([status, answer['status']]).toEqual([200, 'success']);
    const { item, layer, path } = await published('slope_percentage', 'nirmalgarh_jalsrota_slope_percentage_raster');
    expect(layer).toMatchObject({ datasetName: 'Slope Percentage', layerType: 'raster' });
    expect(item?.['properties']).toMatchObject({
      'headwater:synthetic': true,
      attribution: expect.stringContaining('Synthetic elevations'),
    });
    expect(await readFile(join(service.dir, 'assets', layer?.styleKey ?? ''), 'utf8')).toContain(
      'singlebandpseudocolor',
    );
    // Slopes are not interpolated, so every published value is one of the DEM's slopes.
    const dem = createDem({ grid: demGrid(frame), heights: demHeights(SEED, frame) });
    const expected = new Set(slopePercent(dem));
    const slopes = (await pixelsOf(path, Float32Array)).values.filter((value) => value !== -9999);
    expect(slopes.length).toBeGreaterThan(5000);
    expect(slopes.every((value) => expected.has(value))).toBe(true);
    expect(await readFile(path.replace(/\.tif$/, '.png'))).not.toHaveLength(0);
  },
);

it('the landforms of the sample are published as classes', { timeout: 60_000 }, async () => {
  const { status, body: answer } = await service.compute(body, 'generate_terrain_raster');
  expect([status, answer['status']]).toEqual([200, 'success']);
  const { item, layer, path } = await published('terrain', 'nirmalgarh_jalsrota_terrain_raster');
  expect(layer).toMatchObject({ datasetName: 'Terrain Raster', layerType: 'raster' });
  const { values } = await pixelsOf(path, Uint8Array);
  const counts = new Map<number, number>();
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
  expect(Math.max(...counts.keys())).toBeLessThanOrEqual(11);
  expect([...counts.keys()].filter((code) => code > 0).length).toBeGreaterThanOrEqual(5);
  const { cog } = landformAssets.parse(item?.['assets']);
  for (const { value, count } of cog['classification:classes'].slice(1)) expect(counts.get(value) ?? 0).toBe(count);
  // No pixel is without landform, because the DEM covers the whole place.
  expect(cog['classification:classes'][0]?.count).toBe(0);
});

it(
  'the terrain of each micro-watershed is published as a vector layer and in tables, if the raster of landforms is published',
  { timeout: 60_000 },
  async () => {
    const { status, body: answer } = await service.compute(body, 'generate_terrain_descriptor');
    expect([status, answer['status']]).toEqual([200, 'success']);
    const { layer, path } = await published('terrain', 'nirmalgarh_jalsrota_cluster');
    expect(layer).toMatchObject({ datasetName: 'Terrain Vector', layerType: 'vector' });
    const { features } = descriptors.parse(JSON.parse(await readFile(path, 'utf8')));
    expect(features.map(({ properties }) => properties['uid'])).toEqual(place.mws.map(({ uid }) => uid));
    for (const { properties } of features) {
      const shares = ['hill_slope', 'plain', 'ridge', 'slopy', 'valley'].map(
        (group) => properties[`${group}_area_percent`],
      );
      expect(shares.reduce<number>((sum, share) => sum + Number(share), 0)).toBeCloseTo(100, 6);
    }
    const table = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'terrain');
    expect(table?.rows).toEqual(features.map(({ properties }) => properties));
    expect(table?.columns.map(({ name }) => name)).toEqual([
      'uid',
      'area_in_ha',
      'terrain_cluster_id',
      'terrain_description',
      'hill_slope_area_percent',
      'plain_area_percent',
      'ridge_area_percent',
      'slopy_area_percent',
      'valley_area_percent',
    ]);
    // The table `dem` has the elevations of each micro-watershed.
    const dem = await service.headwater.stores.data.table(layer?.tehsilId ?? 0, 'dem');
    const heights = new Set(demHeights(SEED, frame));
    expect(dem?.rows.map(({ uid }) => uid)).toEqual(place.mws.map(({ uid }) => uid));
    for (const row of dem?.rows ?? []) {
      const [low, mean, high] = ['min', 'mean', 'max'].map((which) => Number(row[`${which}_elevation_in_m`]));
      expect([heights.has(low ?? 0), heights.has(high ?? 0)]).toEqual([true, true]);
      expect(mean).toBeGreaterThan(low ?? 0);
      expect(mean).toBeLessThan(high ?? 0);
    }
  },
);
