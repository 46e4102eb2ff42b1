import { readdir, readFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type { Deliverable } from '@headwater/core';
import { collectionId, collectionPath, instant, itemId, vectorItem } from '@headwater/stac';
import type { FeatureCollection } from 'geojson';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { boxPolygon } from '../scripts/boxes.mjs';
import { createPaintedPipeline, PAINTED_BOX, PAINTED_PLACE, paintedClass } from './painted-land-cover.fixture.ts';

const { state, district, tehsil: block } = PAINTED_PLACE;
const painted = createPaintedPipeline();
const [west, south, east, north] = PAINTED_BOX;
const PAINTED_SIDES = { west, south, east, north };

/** Publishes painted land cover (a test chooses the class of each pixel) as rasters and as a vector. */
const landCover: typeof painted = {
  ...painted,
  async execute(params, ports, context): Promise<Deliverable> {
    const rasters = await painted.execute(params, ports, context);
    const text = JSON.stringify({ type: 'FeatureCollection', features: [] });
    const file = await ports.assets.write(context.run.id, context.run.token, 'vector.geojson', text);
    const path = collectionPath(state, district, block);
    const id = itemId({ state, district, block, layer: 'land_use_land_cover_vector' });
    const layerName = 'lulc_vector_nirmalgarh_rangpur';
    const published = instant(ports.now());
    const item = vectorItem({
      id,
      geometry: PAINTED_PLACE.geometry,
      title: 'Painted areas',
      description: 'Painted, for a test.',
      start: instant(`${params.startYear}-07-01T00:00:00Z`),
      end: instant(`${params.endYear + 1}-06-30T00:00:00Z`),
      published,
      keywords: ['painted'],
      processing: { lineage: 'Painted.', software: { headwater: '0.0.0' } },
      root: { href: ports.addresses.catalog(), title: 'Root' },
      collection: { id: collectionId(path), href: ports.addresses.collection(path), title: block },
      self: ports.addresses.item(path, id),
      columns: [{ name: 'uid', type: 'object', description: 'Micro-watershed' }],
      rowCount: 0,
      assets: {
        data: { href: ports.addresses.features('lulc_vector', layerName), title: 'Vector' },
        geojson: { href: ports.addresses.file(file.key), title: 'GeoJSON', file },
      },
    });
    const layer = { workspace: 'lulc_vector', layerName, datasetName: 'LULC', layerType: 'vector' as const };
    if (!('tehsilId' in params)) throw new Error('painted land cover needs a tehsil');
    const { tehsilId } = params;
    return {
      ...rasters,
      items: [...rasters.items, { id, collectionPath: path, item: { ...item } }],
      layers: [...rasters.layers, { ...layer, tehsilId, itemId: id, assetKey: file.key, styleKey: null }],
    };
  },
};

let service: DerivedService;
beforeAll(async () => void (service = await startDerivedService({ landCover })));
afterAll(() => service.close());

const years = (from: number, to = from) => ({ start_year: from, end_year: to });

async function isReused(route: string, body: Readonly<Record<string, unknown>>): Promise<unknown> {
  const { status, body: answer } = await service.make(route, body);
  expect([status, answer['error']]).toEqual([200, undefined]);
  return answer['reused'];
}

it('the stored land cover is still reused after areas were computed from its rasters', async () => {
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(false);
  expect(await isReused('lulc_vector', years(2019, 2020))).toBe(false);
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(true);
  expect(await isReused('lulc_vector', years(2019, 2020))).toBe(true);
});

it('the stored result for fewer years is not reused for all years', async () => {
  await isReused('lulc_for_tehsil', years(2019, 2020));
  expect(await isReused('lulc_vector', years(2020))).toBe(false);
  const { body } = await service.make('lulc_vector', years(2019, 2020));
  expect(body['reused']).toBe(false);
  expect(await isReused('lulc_for_tehsil', years(2019, 2020))).toBe(true);
});

it('a layer is not reused after its inputs were computed again', async () => {
  const request = years(2017, 2018);
  const routes = ['lulc_vector', 'generate_ci_layer'];
  await isReused('lulc_for_tehsil', request);
  for (const route of routes) expect([route, await isReused(route, request)]).toEqual([route, false]);
  for (const route of routes) expect([route, await isReused(route, request)]).toEqual([route, true]);
  expect(await isReused('lulc_for_tehsil', { ...request, overwrite: true })).toBe(false);
  for (const route of routes) expect([route, await isReused(route, request)]).toEqual([route, false]);
  await isReused('lulc_for_tehsil', { ...years(2018), overwrite: true });
  for (const route of routes) expect([route, await isReused(route, request)]).toEqual([route, false]);
});

it('inputs that were made for another boundary are rejected with a message that names them, and accepted after the boundary is restored', async () => {
  const request = years(2016);
  await isReused('lulc_for_tehsil', request);
  // The rasters have no boundary digest, so only the run can detect that the new boundary is wider.
  await service.savePlace({
    ...PAINTED_PLACE,
    geometry: boxPolygon({ ...PAINTED_SIDES, east: east + 0.01 }),
  });
  const message =
    'layer LULC_level_3:LULC_16_17_nirmalgarh_rangpur_level_3 was computed for an earlier boundary of Rangpur; compute it with the pipeline lulc_for_tehsil again';
  for (const route of ['lulc_vector', 'generate_ci_layer', 'generate_swb']) {
    const { body } = await service.make(route, request);
    expect([route, body]).toMatchObject([route, { status: 'failed', message: expect.stringContaining(message) }]);
  }
  await service.savePlace(PAINTED_PLACE);
  expect(await isReused('lulc_vector', request)).toBe(false);
});

it('new or renamed villages are published', async () => {
  const names = async (): Promise<unknown> => {
    const text = await readFile(await service.fileOf('panchayat_boundaries', 'nirmalgarh_rangpur'), 'utf8');
    return (JSON.parse(text) as FeatureCollection).features.map(({ properties }) => properties?.['vill_name']);
  };
  const withVillage = (name: string) => ({
    ...PAINTED_PLACE,
    villages: [{ id: 900_001, name, geometry: boxPolygon(PAINTED_SIDES) }],
  });
  expect(await isReused('generate_block_layer', {})).toBe(false);
  expect(await names()).toEqual(['Rangpur']);
  for (const name of ['Pipalkheda', 'Pipalkheda Kalan']) {
    await service.savePlace(withVillage(name));
    expect([name, await isReused('generate_block_layer', {})]).toEqual([name, false]);
    expect(await names()).toEqual([name]);
    expect([name, await isReused('generate_block_layer', {})]).toEqual([name, true]);
    // This layer is also computed again, because it lists the villages of micro-watersheds.
    expect([name, await isReused('generate_mws_layer', {})]).toEqual([name, false]);
    const { key, rows } = await service.table('mws_intersect_villages');
    expect([key, rows.map((row) => row['village ids'])]).toEqual(['mws uid', [[900_001], [900_001]]]);
  }
  await service.savePlace(PAINTED_PLACE);
});

it('after a run, its folder contains only published files', async () => {
  await isReused('generate_swb', years(2019, 2020));
  const file = await service.fileOf('swb', 'surface_waterbodies_nirmalgarh_rangpur');
  const text = JSON.stringify(await service.items());
  const names = await readdir(dirname(file));
  expect(names.length).toBeGreaterThan(3);
  expect(names.filter((name) => !text.includes(`/${name}`))).toEqual([]);
});

it('each of two tehsils with the same name reads its own layers', async () => {
  const other = 'Uttargarh';
  // All pixels of the second tehsil are trees.
  const twins = await startDerivedService({
    landCover: createPaintedPipeline((year, row, col) => paintedClass(year, row, col), { elsewhere: 6 }),
  });
  try {
    const mws = PAINTED_PLACE.mws.map(({ geometry }, i) => ({ uid: `13_${i + 1}`, geometry }));
    await twins.savePlace({ ...PAINTED_PLACE, district: other, mws });
    for (const route of ['lulc_vector', 'generate_ci_layer', 'generate_swb']) {
      for (const where of [{ district: other }, {}]) {
        expect((await twins.make(route, { ...years(2018, 2019), ...where })).body['error']).toBeUndefined();
      }
    }
    const uids = ['12_900001', '12_900002'];
    expect((await twins.table('lulc_vector')).rows.map(({ uid }) => uid)).toEqual(uids);
    for (const row of (await twins.table('lulc_vector', other)).rows) {
      expect(row['uid']).toMatch(/^13_/);
      expect(row['tree_forest_in_ha_2019']).toBeCloseTo(Number(row['sum_in_ha']), 9);
    }
    const water = await Promise.all([undefined, other].map((of) => twins.table('surfaceWaterBodies_annual', of)));
    expect(water.map(({ rows }) => Number(rows[0]?.['total_swb_area_in_ha']) > 0)).toEqual([true, false]);
  } finally {
    await twins.close();
  }
});

it('a rejected request names only the missing years', async () => {
  await isReused('lulc_for_tehsil', years(2021, 2022));
  const { status, body } = await service.make('generate_ci_layer', { ...years(2021, 2023), with_dependencies: false });
  const made = { path: '/api/v1/lulc_for_tehsil/', body: { start_year: 2021, end_year: 2023 } };
  expect([status, body]).toMatchObject([
    409,
    { missing: [{ name: 'layer LULC_level_3:LULC_23_24_nirmalgarh_rangpur_level_3', made_by: made }] },
  ]);
  expect(body['missing']).toHaveLength(1);
});

it('a request for all layers of a map computes only the years that it names', async () => {
  const fresh = await startDerivedService();
  try {
    const { status, body } = await fresh.make('generate_layer_in_order', { ...years(2018, 2019), map: 'map_2_2' });
    const runs = body['runs'] as readonly { node: string; run_id: string; after: readonly string[] }[];
    const [landCover] = runs;
    expect([status, landCover?.node]).toEqual([200, 'lulc_v3']);
    const behind = runs.filter(({ node }) => node !== 'lulc_v3' && node !== 'change_detection_vector');
    expect(behind.map(({ node, after }) => [node, after])).toEqual(
      behind.map(({ node }) => [node, [landCover?.run_id]]),
    );
    expect(behind.map(({ node }) => node)).toContain('crop_grid');
    expect(await fresh.make('crop_grid', { end_year: 2018 })).toMatchObject({ status: 200 });
    expect(await fresh.make('crop_grid', { end_year: 2012 })).toMatchObject({
      status: 400,
      body: { errors: { end_year: [expect.stringContaining('too early')] } },
    });
  } finally {
    await fresh.close();
  }
});
