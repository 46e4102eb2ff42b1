import { readFile } from 'node:fs/promises';
import type { FeatureCollection } from 'geojson';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { validateItem } from '@headwater/stac';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { createPaintedPipeline, hectaresWhere, PAINTED_MWS, paintedClass } from './painted-land-cover.fixture.ts';

const YEARS = { start_year: 2017, end_year: 2021 };
const ALL_YEARS = [2017, 2018, 2019, 2020, 2021];
const CROPS = [8, 9, 10, 11];
const CLASS = z.object({ value: z.int(), name: z.string(), count: z.int(), percentage: z.number().optional() });

let service: DerivedService;
beforeAll(async () => void (service = await startDerivedService()));
afterAll(() => service.close());

const geojson = async (workspace: string, layer: string): Promise<FeatureCollection> =>
  JSON.parse(await readFile(await service.fileOf(workspace, layer), 'utf8')) as FeatureCollection;

/** Expects that areas by two independent methods differ by at most a millionth. */
function expectNear(actual: unknown, expected: number): void {
  expect(typeof actual).toBe('number');
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(1e-6 * Math.max(expected, 1e-3));
}

describe('layers of the place directory', () => {
  it('include the micro-watersheds, with a sheet', async () => {
    expect(await service.make('generate_mws_layer')).toMatchObject({ status: 200 });
    const { features } = await geojson('mws', 'mws_nirmalgarh_rangpur');
    expect(features.map(({ properties }) => properties?.['uid'])).toEqual(['12_900001', '12_900002']);
    const mws = await service.table('mws');
    const codes = ['watershed_code', 'basin_code', 'sub_basin_code'];
    expect([mws.key, mws.columns.map(({ name }) => name)]).toEqual(['uid', ['uid', 'area_in_ha', ...codes]]);
    expect(mws.rows).toHaveLength(2);
    for (const row of mws.rows) expect(codes.map((code) => row[code])).toEqual([null, null, null]);
  });

  it('include the centres of the micro-watersheds', async () => {
    expect(await service.make('generate_mws_centroid')).toMatchObject({ status: 200 });
    const { features } = await geojson('mws_centroid', 'nirmalgarh_rangpur_mws_centroid');
    const { west, east } = { west: PAINTED_MWS[0]?.box[0] ?? 0, east: PAINTED_MWS[0]?.box[2] ?? 0 };
    expect(features[0]).toMatchObject({ geometry: { type: 'Point' }, properties: { uid: '12_900001' } });
    expect(features[0]?.properties?.['longitude']).toBeCloseTo((west + east) / 2, 9);
  });

  it('include the villages; if the tehsil has no villages, this layer contains the tehsil itself', async () => {
    expect(await service.make('generate_block_layer')).toMatchObject({ status: 200 });
    const { features } = await geojson('panchayat_boundaries', 'nirmalgarh_rangpur');
    expect(features.map(({ properties }) => properties)).toMatchObject([{ vill_ID: 0, vill_name: 'Rangpur' }]);
  });
});

describe('layers of land cover', () => {
  it('include the areas of each class by micro-watershed and year', async () => {
    expect(await service.make('lulc_vector', YEARS)).toMatchObject({ status: 200 });
    const { features } = await geojson('lulc_vector', 'lulc_vector_nirmalgarh_rangpur');
    const { rows } = await service.table('lulc_vector');
    for (const [i, { box }] of PAINTED_MWS.entries()) {
      const expected = hectaresWhere(box, (row, col) => paintedClass(2019, row, col) === 6);
      expectNear(features[i]?.properties?.['tree_forest_area_2019'], expected);
      expectNear(rows[i]?.['tree_forest_in_ha_2019'], expected);
      const unseen = hectaresWhere(box, (row, col) => paintedClass(2019, row, col) === 0);
      expect(unseen).toBeGreaterThan(0.01);
      expectNear(features[i]?.properties?.['unseen_area_2019'], unseen);
      expectNear(rows[i]?.['unseen_in_ha_2019'], unseen);
    }
  });

  it('include the cropping intensity: areas, total and ratio, over the cropable land that was observed', async () => {
    expect(await service.make('generate_ci_layer', YEARS)).toMatchObject({ status: 200 });
    const { rows } = await service.table('croppingIntensity_annual');
    const indicators = await service.table('kyl_cropping_intensity');
    for (const [i, { uid, box }] of PAINTED_MWS.entries()) {
      const row = rows[i] ?? {};
      const isCropable = (r: number, c: number): boolean =>
        ALL_YEARS.some((year) => CROPS.includes(paintedClass(year, r, c)));
      expectNear(row['sum_area_in_ha'], hectaresWhere(box, isCropable));
      const unseen = hectaresWhere(box, (r, c) => isCropable(r, c) && paintedClass(2020, r, c) === 0);
      expect(unseen).toBeGreaterThan(0.01);
      expectNear(row['unseen_cropable_area_in_ha_2020-2021'], unseen);
      const area = (code: number): number => hectaresWhere(box, (r, c) => paintedClass(2020, r, c) === code);
      expectNear(row['single_kharif_cropped_area_in_ha_2020-2021'], area(8));
      expectNear(row['doubly_cropped_area_in_ha_2020-2021'], area(10));
      const [single, double, triple] = ['single', 'doubly', 'triply'].map((n) =>
        Number(row[`${n}_cropped_area_in_ha_2020-2021`]),
      );
      const seen = Number(row['sum_area_in_ha']) - Number(row['unseen_cropable_area_in_ha_2020-2021']);
      const quotient = ((single ?? 0) + 2 * (double ?? 0) + 3 * (triple ?? 0)) / seen;
      expect(Math.abs(Number(row['cropping_intensity_unit_less_2020-2021']) - quotient)).toBeLessThanOrEqual(1e-12);
      expect(indicators.rows[i]).toMatchObject({ uid, cropping_intensity_trend: expect.stringMatching(/^-?[01]$/) });
    }
    const { features } = await geojson('crop_intensity', 'nirmalgarh_rangpur_intensity');
    expect(features[0]?.properties).toMatchObject({
      total_cropable_area_ever_hydroyear_2017_2021: rows[0]?.['sum_area_in_ha'],
      cropping_intensity_2020: rows[0]?.['cropping_intensity_unit_less_2020-2021'],
    });
  });

  it('include the changes: five rasters, and five vectors and sheets that are computed from the rasters', async () => {
    const { status, body } = await service.make('change_detection_vector', YEARS);
    expect([status, body['error']]).toEqual([200, undefined]);
    const { rows } = await service.table('change_detection_cropintensity');
    const mode = (years: readonly number[], r: number, c: number): number => {
      const seen = years.map((year) => paintedClass(year, r, c)).filter((code) => code !== 0);
      const count = (code: number): number => seen.filter((other) => other === code).length;
      return seen.toSorted((a, b) => count(b) - count(a) || a - b)[0] ?? 0;
    };
    for (const [i, { box }] of PAINTED_MWS.entries()) {
      const expected = hectaresWhere(
        box,
        (r, c) => [8, 9].includes(mode([2017, 2018, 2019], r, c)) && mode([2020, 2021], r, c) === 10,
      );
      expect(expected).toBeGreaterThan(0.01);
      expectNear(rows[i]?.['single_to_double_area_in_ha'], expected);
      const periods = [
        [2017, 2018, 2019],
        [2020, 2021],
      ];
      const unseen = hectaresWhere(box, (r, c) => periods.some((years) => mode(years, r, c) === 0));
      expect(unseen).toBeGreaterThan(0.01);
      expectNear(rows[i]?.['unseen_area_in_ha'], unseen);
    }
    const raster = (await service.items()).find(({ id }) => String(id).endsWith('change_urbanization_raster'));
    const classes = z.object({ cog: z.object({ 'classification:classes': z.array(CLASS) }) }).parse(raster?.['assets'])
      .cog['classification:classes'];
    const unseen = classes.find(({ value }) => value === 255);
    expect([unseen?.name, unseen?.percentage, (unseen?.count ?? 0) > 0]).toEqual(['unseen', undefined, true]);
    expect(classes.reduce((sum, { percentage = 0 }) => sum + percentage, 0)).toBeCloseTo(100, 2);
    const names = (await service.layers()).filter(({ workspace }) => workspace === 'change_detection');
    expect(names).toHaveLength(10);
  });

  it('include water bodies: polygons of water in any year, shares of seasons, sheets by micro-watershed', async () => {
    expect(await service.make('generate_swb', YEARS)).toMatchObject({ status: 200 });
    const { features } = await geojson('swb', 'surface_waterbodies_nirmalgarh_rangpur');
    const isWater = (year: number, r: number, c: number): boolean => [2, 3, 4].includes(paintedClass(year, r, c));
    const annual = await service.table('surfaceWaterBodies_annual');
    const pairs = await service.table('mws_intersect_swb');
    const indicators = await service.table('kyl_surface_water');
    for (const [i, { uid, box }] of PAINTED_MWS.entries()) {
      const ever = hectaresWhere(box, (r, c) => ALL_YEARS.some((year) => isWater(year, r, c)));
      expectNear(annual.rows[i]?.['total_swb_area_in_ha'], ever);
      const isEver = (r: number, c: number): boolean => ALL_YEARS.some((year) => isWater(year, r, c));
      const unseenIn = (year: number): number =>
        hectaresWhere(box, (r, c) => isEver(r, c) && paintedClass(year, r, c) === 0);
      const shares = ALL_YEARS.map(
        (year) => hectaresWhere(box, (r, c) => isWater(year, r, c)) / (ever - unseenIn(year)),
      );
      const mean = shares.reduce((sum, area) => sum + area, 0) / shares.length;
      expectNear(indicators.rows[i]?.['avg_kharif_surface_water_mws'], 100 * mean);
      expect(unseenIn(2021)).toBeGreaterThan(0.01);
      expectNear(annual.rows[i]?.['unseen_water_area_in_ha_2021-2022'], unseenIn(2021));
      expect(indicators.rows[i]).toMatchObject({ uid, trend_swb: expect.stringMatching(/^(0|-?1)$/) });
      const mine = pairs.rows.filter((row) => row['uid'] === uid).map((row) => Number(row['area_in_ha']));
      expectNear(
        mine.reduce((sum, area) => sum + area, 0),
        ever,
      );
      const rabi = hectaresWhere(box, (r, c) => [3, 4].includes(paintedClass(2021, r, c)));
      expectNear(annual.rows[i]?.['rabi_area_in_ha_2021-2022'], rabi);
    }
    const total = features.reduce((sum, { properties }) => sum + Number(properties?.['area_ored']), 0);
    expectNear(
      total,
      hectaresWhere([77, 17, 79, 19], (r, c) => ALL_YEARS.some((year) => isWater(year, r, c))),
    );
    const across = features.filter(({ properties }) => properties?.['MWS_UID'] === '12_900001_12_900002');
    expect(across.length).toBeGreaterThan(0);
    for (const { properties } of features) {
      const [k, kr, krz] = ['k', 'kr', 'krz'].map((season) => Number(properties?.[`${season}_19-20`]));
      expect([k, kr, krz]).toEqual([k, kr, krz].toSorted((a, b) => Number(b) - Number(a)));
    }
    expect(new Set(features.map(({ properties }) => properties?.['UID'])).size).toBe(features.length);
  });

  it('include a grid of cells with crops, for the newest published year', async () => {
    expect(await service.make('crop_grid')).toMatchObject({ status: 200 });
    const { features } = await geojson('crop_grid_layers', 'nirmalgarh_rangpur_grid');
    const [sum, whole] = ['cropped_area_in_ha', 'single_kharif_cropped_area_2021'].map((name) =>
      features.reduce((all, { properties }) => all + Number(properties?.[name]), 0),
    );
    const everywhere = [77, 17, 79, 19] as const;
    expectNear(
      sum,
      hectaresWhere(everywhere, (r, c) => CROPS.includes(paintedClass(2021, r, c))),
    );
    expectNear(
      whole,
      hectaresWhere(everywhere, (r, c) => paintedClass(2021, r, c) === 8),
    );
    expectNear(
      features.reduce((all, { properties }) => all + Number(properties?.['unseen_area_2021']), 0),
      hectaresWhere(everywhere, (r, c) => paintedClass(2021, r, c) === 0),
    );
  });

  it('are rejected with a message if changes are requested for fewer than two years', async () => {
    expect(await service.make('change_detection', { start_year: 2017, end_year: 2017 })).toMatchObject({
      status: 400,
      body: { errors: { end_year: [expect.stringContaining('at least 2')] } },
    });
  });
});

it('the layers have valid Items that name their sources and are marked as synthetic', async () => {
  const items = await service.items();
  expect(items.length).toBeGreaterThan(15);
  for (const item of items)
    expect(validateItem(item, 'headwater').filter(({ severity }) => severity === 'error')).toEqual([]);
  const crops = items.find(({ id }) => String(id).endsWith('rangpur_cropping_intensity_vector'));
  expect(crops).toMatchObject({ properties: { 'headwater:synthetic': true, attribution: 'Painted by hand' } });
  expect(JSON.stringify(crops?.['links'])).toContain('land_use_land_cover_raster_2017');
});

it('the layers are empty or have zero areas for a tehsil without water, crops or change', async () => {
  const barren = await startDerivedService({ landCover: createPaintedPipeline(() => 7) });
  try {
    const routes = ['generate_swb', 'generate_ci_layer', 'change_detection_vector', 'crop_grid'];
    const years = { start_year: 2020, end_year: 2021 };
    for (const route of routes) {
      const { status, body } = await barren.make(route, route === 'crop_grid' ? {} : years);
      expect([route, status, body['error']]).toEqual([route, 200, undefined]);
    }
    const water = await barren.fileOf('swb', 'surface_waterbodies_nirmalgarh_rangpur');
    expect(JSON.parse(await readFile(water, 'utf8'))).toMatchObject({ features: [] });
    expect((await barren.table('croppingIntensity_annual')).rows[0]).toMatchObject({
      sum_area_in_ha: 0,
      'cropping_intensity_unit_less_2020-2021': null,
    });
  } finally {
    await barren.close();
  }
});
