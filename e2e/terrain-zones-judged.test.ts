import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { lulcMaker } from '@headwater/land-cover';
import {
  createTerrainLulcPipelines,
  LANDFORMS,
  mwsConnectivityPipeline,
  slopePercentagePipeline,
  TERRAIN_CODES,
  terrainDescriptorPipeline,
  terrainRasterPipeline,
} from '@headwater/terrain';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { arcSecondGrid, paintedHills, writePaintedDem } from './painted-dem.fixture.ts';
import { PAINTED_BOX } from './painted-land-cover.fixture.ts';
import { judgeFile, noGdal, noJudges, validCogs, validDocuments } from './judges.fixture.ts';

if (noJudges !== undefined) console.log(`skipped: terrain layers in independent programs: ${noJudges}`);
if (noGdal !== undefined) console.log(`skipped: GDAL's checks of the terrain layers: ${noGdal}`);
const YEARS = { start_year: 2017, end_year: 2018 };
const PLACE = 'nirmalgarh_rangpur';

/**
 * Returns a function that computes the area of classes in a micro-watershed, ha. A pixel counts with the fraction that
 * the polygon covers.
 */
function areasOf(raster: string, polygons: string): (uid: string, codes: readonly number[]) => number {
  const lines = judgeFile('exact_areas.py', [raster, polygons]).split('\n').slice(1);
  const areas = new Map(lines.map((line) => [line.slice(0, line.lastIndexOf(',')), Number(line.split(',').at(-1))]));
  return (uid, codes) => codes.reduce((sum, code) => sum + (areas.get(`${uid},${code}`) ?? 0), 0);
}

function expectNear(actual: unknown, expected: number): void {
  expect(typeof actual).toBe('number');
  expect(Math.abs(Number(actual) - expected)).toBeLessThanOrEqual(1e-6 * Math.max(expected, 1e-3));
}

describe.skipIf(noJudges !== undefined)('terrain layers in independent programs', () => {
  let service: DerivedService;
  let dir: string;
  beforeAll(async () => {
    dir = await mkdtemp(join(tmpdir(), 'headwater-terrain-judged-'));
    const pipelines = [
      slopePercentagePipeline,
      terrainRasterPipeline,
      terrainDescriptorPipeline,
      mwsConnectivityPipeline,
      ...createTerrainLulcPipelines(lulcMaker),
    ];
    service = await startDerivedService({ more: pipelines });
    await writePaintedDem(service.demDir, arcSecondGrid(PAINTED_BOX), paintedHills);
    for (const { route } of pipelines) {
      const { status, body } = await service.make(route, route.startsWith('terrain_lulc') ? YEARS : {});
      if (status !== 200) throw new Error(`${route}: ${JSON.stringify(body)}`);
    }
  });
  afterAll(async () => {
    await service.close();
    await rm(dir, { recursive: true, force: true });
  });
  const vector = (): Promise<string> => service.fileOf('terrain', `${PLACE}_cluster`);
  const codesOf = async (terrain: string): Promise<string> =>
    (await service.fileOf('terrain_lulc', `${PLACE}_lulc_${terrain}`)).replace(/\.geojson$/, '_codes.tif');

  it('have Items that pystac and stac-validator accept', { timeout: 180_000 }, async () => {
    const items = await service.items();
    expect(items.map(({ id }) => String(id).replace(/^.*rangpur_/, '')).toSorted()).toEqual([
      'land_use_land_cover_raster_2017',
      'land_use_land_cover_raster_2018',
      'mws_connectivity_vector',
      'slope_percentage_raster',
      'terrain_lulc_plain_vector',
      'terrain_lulc_slope_vector',
      'terrain_raster',
      'terrain_vector',
    ]);
    expect(await validDocuments(items, dir)).toBe(items.length);
  });

  it.skipIf(noGdal !== undefined)("have COGs that GDAL's validator accepts", async () => {
    const files = [
      await service.fileOf('terrain', `${PLACE}_terrain_raster`),
      await service.fileOf('slope_percentage', `${PLACE}_slope_percentage_raster`),
      await codesOf('slope'),
      await codesOf('plain'),
    ];
    expect(validCogs(files)).toBe(files.length);
  });

  it('have the shares of landforms that exact_areas.py computes, within 1e-6', async () => {
    const exact = areasOf(await service.fileOf('terrain', `${PLACE}_terrain_raster`), await vector());
    const all = LANDFORMS.map(({ code }) => code);
    for (const row of (await service.table('terrain')).rows) {
      for (const group of ['hill_slope', 'plain', 'ridge', 'slopy', 'valley'] as const) {
        const codes = LANDFORMS.filter((form) => form.group === group).map(({ code }) => code);
        const uid = String(row['uid']);
        expectNear(row[`${group}_area_percent`], (100 * exact(uid, codes)) / exact(uid, all));
      }
    }
  });

  it.each(['slope', 'plain'] as const)(
    'have the shares of land cover on each %s that exact_areas.py computes, within 1e-6',
    async (terrain) => {
      const exact = areasOf(await codesOf(terrain), await vector());
      const columns = { barren: 7, forests: 6, shrub_scrubs: 12, single_kharif: 8, double_cropping: 10 };
      // The value (land-cover class) 0 is land that was not observed.
      const all = TERRAIN_CODES.filter(({ value }) => value !== 0).map(({ code }) => code);
      for (const row of (await service.table(`terrain_lulc_${terrain}`)).rows) {
        for (const [name, value] of Object.entries(columns)) {
          const codes = TERRAIN_CODES.filter((each) => each.terrain === terrain && each.value === value);
          const uid = String(row['uid']);
          const part = exact(
            uid,
            codes.map(({ code }) => code),
          );
          expectNear(row[`${name}_area_percent`], (100 * part) / exact(uid, all));
        }
      }
    },
  );

  it('have a flow from each micro-watershed, into another micro-watershed of the tehsil or out of the tehsil', async () => {
    const { rows } = await service.table('mws_connectivity');
    const uids = rows.map((row) => row['uid']);
    for (const { uid, direction, downstream_mws: down } of rows) {
      expect([null, ...uids]).toContain(down ?? null);
      expect(down).not.toBe(uid);
      expect(direction === 0).toBe(down === null);
    }
    expect(
      JSON.parse(await readFile(await service.fileOf('mws_connectivity', `${PLACE}_mws_connectivity`), 'utf8')),
    ).toMatchObject({
      features: [{}, {}],
    });
  });
});
