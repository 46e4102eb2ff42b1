import { readFile } from 'node:fs/promises';
import type { FeatureCollection } from 'geojson';
import { lulcMaker } from '@headwater/land-cover';
import { openRaster } from '@headwater/raster';
import { validateItem } from '@headwater/stac';
import { createTerrainLulcPipelines, terrainDescriptorPipeline, terrainRasterPipeline } from '@headwater/terrain';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { arcSecondGrid, paintedHills, writePaintedDem } from './painted-dem.fixture.ts';
import {
  hectaresWhere,
  PAINTED_BOX,
  PAINTED_GRID,
  PAINTED_MWS,
  PAINTED_PLACE,
  paintedClass,
} from './painted-land-cover.fixture.ts';

const YEARS = { start_year: 2017, end_year: 2019 };
const SHARES = [
  ['barren', 7],
  ['forests', 6],
  ['shrub_scrubs', 12],
  ['single_kharif', 8],
  ['single_non_kharif', 9],
  ['double_cropping', 10],
  ['triple_cropping', 11],
] as const;
const KINDS = [
  ['Barrenlands', [7]],
  ['Tree/Forests', [6]],
  ['Shrubs&Scrubs', [12]],
  ['Single Cropped', [8, 9]],
  ['Double Cropped', [10]],
  ['Triple Cropped', [11]],
] as const;
const LANDFORM = { plain: 5, slope: 6 } as const;

let service: DerivedService;
const lulcPipelines = createTerrainLulcPipelines(lulcMaker);
beforeAll(async () => {
  const more = [terrainRasterPipeline, terrainDescriptorPipeline, ...lulcPipelines];
  service = await startDerivedService({ more });
});
afterAll(() => service.close());

const names = async (): Promise<readonly string[]> =>
  (await service.layers()).map(({ workspace, layerName }) => `${workspace}:${layerName}`).toSorted();

async function landformUnder(): Promise<(row: number, col: number) => number> {
  const raster = await openRaster(await service.fileOf('terrain', 'nirmalgarh_rangpur_terrain_raster'));
  const { west, north, pixelWidth, pixelHeight, cols, rows } = raster.grid;
  const landforms = new Uint8Array(cols * rows);
  await raster.readWindow({ col: 0, row: 0, cols, rows }, landforms);
  raster.close();
  return (row, col) => {
    const lon = PAINTED_GRID.west + (col + 0.5) * PAINTED_GRID.pixelWidth;
    const lat = PAINTED_GRID.north - (row + 0.5) * PAINTED_GRID.pixelHeight;
    return landforms[Math.floor((north - lat) / pixelHeight) * cols + Math.floor((lon - west) / pixelWidth)] ?? 0;
  };
}

/** Most frequent class over the years, except class 0; the lowest of equally frequent classes. */
function mode(row: number, col: number): number {
  const seen = [2017, 2018, 2019].map((year) => paintedClass(year, row, col)).filter((code) => code !== 0);
  const count = (code: number): number => seen.filter((other) => other === code).length;
  return seen.toSorted((a, b) => count(b) - count(a) || a - b)[0] ?? 0;
}

it('a request is answered with the messages of the CoRE Stack backend', () =>
  expect(lulcPipelines.map(({ messages }) => messages.initiated)).toEqual([
    'terrain_lulc_slope_cluster task initiated',
    'terrain_lulc_plain_cluster task initiated',
  ]));

it('an error names the missing inputs with layer and route: elevations, landforms and the land cover of each year', async () => {
  const alone = await service.make('terrain_lulc_slope_cluster', { ...YEARS, with_dependencies: false });
  expect(alone.status).toBe(409);
  const text = JSON.stringify(alone.body);
  expect(text).toContain('layer terrain:nirmalgarh_rangpur_terrain_raster');
  expect(text).toContain('generate_terrain_raster');
  for (const year of [17, 18, 19])
    expect(text).toContain(`layer LULC_level_3:LULC_${year}_${year + 1}_nirmalgarh_rangpur_level_3`);
  expect(text).toContain('lulc_for_tehsil');
  const withoutDem = await service.make('terrain_lulc_slope_cluster', YEARS);
  expect([withoutDem.status, JSON.stringify(withoutDem.body)]).toEqual([409, expect.stringContaining('DATA_DIR/dem')]);
  expect(await names()).toEqual([]);
});

it('years without possible land cover are rejected', async () => {
  const early = await service.make('terrain_lulc_plain_cluster', { start_year: 1999, end_year: 2019 });
  expect([early.status, JSON.stringify(early.body)]).toEqual([400, expect.stringContaining('1999 is too early')]);
  const reversed = await service.make('terrain_lulc_plain_cluster', { start_year: 2019, end_year: 2018 });
  expect([reversed.status, JSON.stringify(reversed.body)]).toEqual([400, expect.stringContaining('2019 is after')]);
});

it('land cover and landforms are computed first if nothing is published', async () => {
  // The western micro-watershed has plains; all slopes have about 10 degrees.
  const grid = arcSecondGrid(PAINTED_BOX);
  const border = ((PAINTED_MWS[1]?.box[0] ?? 0) - grid.west) / grid.pixelWidth;
  await writePaintedDem(service.demDir, grid, (row, col) => {
    const flat = col < border ? 40 : 1;
    const along = (row + 0.3 * col) % (12 + 2 * flat);
    return 300 + 5.5 * Math.min(along, 6, Math.max(0, 12 + flat - along));
  });
  const { status, body } = await service.make('terrain_lulc_slope_cluster', YEARS);
  expect([status, body['error']]).toEqual([200, undefined]);
  expect(await names()).toEqual([
    'LULC_level_3:LULC_17_18_nirmalgarh_rangpur_level_3',
    'LULC_level_3:LULC_18_19_nirmalgarh_rangpur_level_3',
    'LULC_level_3:LULC_19_20_nirmalgarh_rangpur_level_3',
    'terrain:nirmalgarh_rangpur_terrain_raster',
    'terrain_lulc:nirmalgarh_rangpur_lulc_slope',
  ]);
});

it.each(['slope', 'plain'] as const)('the areas of land cover on each %s are exact within 1e-6', async (terrain) => {
  expect(await service.make(`terrain_lulc_${terrain}_cluster`, YEARS)).toMatchObject({ status: 200 });
  expect(await service.make('generate_terrain_descriptor')).toMatchObject({ status: 200 });
  const { rows, columns } = await service.table(`terrain_lulc_${terrain}`);
  const descriptor = await service.table('terrain');
  const landform = await landformUnder();
  expect(columns.map(({ name }) => name)).toEqual([
    'uid',
    'area_in_ha',
    'terrain_cluster_id',
    'terrain_description',
    'cluster_name',
    ...SHARES.map(([name]) => `${name}_area_percent`),
    'unseen_area_in_ha',
  ]);
  for (const [i, { uid, box }] of PAINTED_MWS.entries()) {
    const row = rows[i] ?? {};
    let sum = 0;
    const isOpen = (r: number, c: number): boolean => landform(r, c) === 5 || landform(r, c) === 6;
    const unseen = hectaresWhere(box, (r, c) => isOpen(r, c) && mode(r, c) === 0);
    const whole = hectaresWhere(box, isOpen) - unseen;
    expect(Math.abs(Number(row['unseen_area_in_ha']) - unseen)).toBeLessThanOrEqual(1e-6 * Math.max(unseen, 1e-3));
    const on = (code: number): number =>
      hectaresWhere(box, (r, c) => landform(r, c) === LANDFORM[terrain] && mode(r, c) === code);
    for (const [name, code] of SHARES) {
      const expected = (100 * on(code)) / whole;
      sum += expected;
      expect(Math.abs(Number(row[`${name}_area_percent`]) - expected)).toBeLessThanOrEqual(
        1e-6 * Math.max(expected, 1e-3),
      );
    }
    expect(sum).toBeGreaterThan(0.1);
    const { terrain_cluster_id: cluster, terrain_description } = descriptor.rows[i] ?? {};
    expect(row).toMatchObject({ uid, terrain_cluster_id: cluster, terrain_description });
    const isNamed = terrain === 'slope' ? cluster === 0 || cluster === 3 : cluster !== 2;
    expect(row['cluster_name']).toBe(isNamed ? nameBy(on) : null);
    expect([i, cluster]).toEqual([i, i === 0 ? 1 : 0]);
  }
  const file = await service.fileOf('terrain_lulc', `nirmalgarh_rangpur_lulc_${terrain}`);
  const { features } = JSON.parse(await readFile(file, 'utf8')) as FeatureCollection;
  expect(features.map(({ properties }) => properties)).toEqual(rows);
});

/** Expected name of a cluster. `on` returns the area of a class, ha. */
function nameBy(on: (code: number) => number): string {
  const areas = KINDS.map(([title, codes]) => [title, codes.reduce<number>((sum, code) => sum + on(code), 0)] as const);
  const total = areas.reduce((sum, [, area]) => sum + area, 0);
  const [first, second] = areas.toSorted(([, a], [, b]) => b - a);
  return first !== undefined && first[1] >= total / 2 ? `Mostly ${first[0]}` : `${first?.[0]} and ${second?.[0]}`;
}

it('Items are valid and have sources, years, credits and the synthetic mark', async () => {
  const items = await service.items();
  for (const item of items)
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  const slope = items.find(({ id }) => String(id).endsWith('terrain_lulc_slope_vector'));
  expect(slope).toMatchObject({
    properties: {
      title: 'Land cover on slopes of Rangpur: 2017-2020 (synthetic sample)',
      start_datetime: '2017-07-01T00:00:00Z',
      end_datetime: '2020-06-30T00:00:00Z',
      'headwater:synthetic': true,
      attribution: 'Heights painted by hand; Painted by hand',
    },
  });
  const links = JSON.stringify(slope?.['links']);
  for (const source of ['terrain_raster', 'land_use_land_cover_raster_2017', 'land_use_land_cover_raster_2019'])
    expect(links).toContain(source);
});

it('the stored result is reused while the same layers are published', async () => {
  const before = await service.fileOf('terrain_lulc', 'nirmalgarh_rangpur_lulc_slope');
  expect(await service.make('terrain_lulc_slope_cluster', YEARS)).toMatchObject({ status: 200 });
  expect(await service.fileOf('terrain_lulc', 'nirmalgarh_rangpur_lulc_slope')).toBe(before);
});

it('landforms of an earlier boundary are computed again; with with_dependencies: false, the request is rejected with the route that computes them', async () => {
  const [west, south, east, north] = PAINTED_BOX;
  // A triangle with the bbox of the rectangle.
  const half = [
    [west, south],
    [east, south],
    [east, north],
    [west, south],
  ];
  await service.savePlace({ ...PAINTED_PLACE, geometry: { type: 'Polygon', coordinates: [half] } });
  const before = await service.fileOf('terrain', 'nirmalgarh_rangpur_terrain_raster');
  const message =
    'layer terrain:nirmalgarh_rangpur_terrain_raster was computed for an earlier boundary; POST /api/v1/generate_terrain_raster/ with ';
  const routes = ['generate_terrain_descriptor', 'terrain_lulc_plain_cluster'];
  for (const route of routes)
    expect(await service.make(route, { ...YEARS, with_dependencies: false })).toMatchObject({
      status: 409,
      body: { code: 'missing_layer', message: expect.stringContaining(message) },
    });
  for (const route of routes) {
    const { status, body } = await service.make(route, YEARS);
    expect([route, status, body['status'], body['error']]).toEqual([route, 200, 'success', undefined]);
  }
  expect(await service.fileOf('terrain', 'nirmalgarh_rangpur_terrain_raster')).not.toBe(before);
  await service.savePlace(PAINTED_PLACE);
  expect(await service.make('generate_terrain_descriptor')).toMatchObject({ status: 200, body: { status: 'success' } });
});

it('if all layers of the map are requested, land cover by terrain is computed after its inputs, the landforms and the land cover', async () => {
  const more = [terrainRasterPipeline, terrainDescriptorPipeline, ...lulcPipelines];
  const fresh = await startDerivedService({ more });
  try {
    await writePaintedDem(fresh.demDir, arcSecondGrid(PAINTED_BOX), paintedHills);
    const { status, body } = await fresh.make('generate_layer_in_order', { ...YEARS, map: 'map_3' });
    expect([status, body['error'], body['not_available']]).toEqual([
      200,
      undefined,
      ['restoration_opportunity', 'aquifer_vector'],
    ]);
    await fresh.ended(String(body['run_id']));
    const published = (await fresh.layers()).map(({ layerName }) => layerName);
    expect(published).toEqual(
      expect.arrayContaining([
        'LULC_17_18_nirmalgarh_rangpur_level_3',
        'nirmalgarh_rangpur_terrain_raster',
        'nirmalgarh_rangpur_cluster',
        'nirmalgarh_rangpur_lulc_slope',
        'nirmalgarh_rangpur_lulc_plain',
      ]),
    );
  } finally {
    await fresh.close();
  }
});
