import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FeatureCollection } from 'geojson';
import { lulcPipeline } from '@headwater/land-cover';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type DerivedService, startDerivedService } from './derived-service.fixture.ts';
import { hectaresWhere, PAINTED_GRID, PAINTED_MWS, paintedClass } from './painted-land-cover.fixture.ts';
import { scenesAround, writeScenes } from '../packages/server/src/small-world.fixture.ts';

let service: DerivedService;
let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'headwater-ndvi-'));
  await writeScenes(dir, scenesAround(2020));
  service = await startDerivedService({ scenesDir: dir });
});
afterAll(async () => {
  await service.close();
  await rm(dir, { recursive: true, force: true });
});

/** Point where the squares meet: trees (north-east), water, a monsoon crop (south-west), barren ground. */
const MIDDLE = { lon: 77.98 + 0.0056, lat: 17.5 + 0.0056 };
const NDVI = { water: -200 / 800, tree: 2700 / 3300, barren: 200 / 4200 };

function squareAt(row: number, col: number): 'water' | 'tree' | 'barren' | 'crop' {
  const lon = PAINTED_GRID.west + (col + 0.5) * PAINTED_GRID.pixelWidth;
  const lat = PAINTED_GRID.north - (row + 0.5) * PAINTED_GRID.pixelHeight;
  if (lat > MIDDLE.lat) return lon < MIDDLE.lon ? 'water' : 'tree';
  return lon < MIDDLE.lon ? 'crop' : 'barren';
}

it('NDVI of crops, shrub and trees is published by micro-watershed and fortnight', async () => {
  const { status, body } = await service.make('generate_ndvi_timeseries', { start_year: 2020, end_year: 2020 });
  expect([status, body['error']]).toEqual([200, undefined]);
  const [, east] = PAINTED_MWS;
  if (east === undefined) throw new Error('no second micro-watershed');
  const series = await service.seriesOf(east.uid);
  expect(series.map(({ name, dates }) => [name, dates.length, dates[0], dates[1]])).toEqual(
    ['ndvi_crop', 'ndvi_shrub', 'ndvi_tree'].map((name) => [name, 26, '2020-07-01', '2020-07-15']),
  );
  // The NDVI changes only in the crop square, which contains few trees of the eastern micro-watershed. So the mean
  // NDVI of all trees of this micro-watershed hardly changes.
  const isTree = (row: number, col: number): boolean => paintedClass(2020, row, col) === 6;
  const share = (square: string): number =>
    hectaresWhere(east.box, (row, col) => isTree(row, col) && squareAt(row, col) === square) /
    hectaresWhere(east.box, isTree);
  const steady = share('tree') * NDVI.tree + share('barren') * NDVI.barren + share('water') * NDVI.water;
  const winter = series.find(({ name }) => name === 'ndvi_tree')?.values[16] ?? Number.NaN;
  expect(share('crop')).toBeLessThan(0.1);
  expect(Math.abs(winter - steady)).toBeLessThan(0.05);
  const west =
    (await service.seriesOf(PAINTED_MWS[0]?.uid ?? '')).find(({ name }) => name === 'ndvi_crop')?.values ?? [];
  expect(Number(west[5]) - Number(west[16])).toBeGreaterThan(0.1);
  const layers = (await service.layers()).filter(({ workspace }) => workspace === 'ndvi_timeseries');
  expect(layers.map(({ layerName }) => layerName)).toEqual(
    ['crop', 'shrub', 'tree'].map((name) => `ndvi_timeseries_nirmalgarh_rangpur_${name}`),
  );
});

/**
 * Scores land cover with five labels at pixels of trees. Four labels are right: they give the class of trees by value,
 * name or title.
 */
async function scoreByOwnLegend(computed: DerivedService): Promise<void> {
  const at = (east: number, north: number) => ({
    type: 'Point',
    coordinates: [MIDDLE.lon + 0.003 * east, MIDDLE.lat + 0.003 * north],
  });
  const labels = [6, '6', 'trees', ' TREES ', 'Built-up'].map((label, i) => ({
    type: 'Feature',
    properties: { label },
    geometry: at(0.8 + i / 10, 0.9),
  }));
  const { status, body } = await computed.make('validate', {
    workspace: 'LULC_level_3',
    layer_name: 'LULC_20_21_nirmalgarh_rangpur_level_3',
    labels: { type: 'FeatureCollection', features: labels },
  });
  expect([status, body['error'], body['timings']]).toMatchObject([
    200,
    undefined,
    { samples: 5, overall_accuracy: 0.8, unmapped_labels: 0 },
  ]);
  const item = (await computed.items()).find(({ id }) => String(id).endsWith('land_use_land_cover_raster_2020'));
  const [table] = Object.keys(Object(item?.['assets'])).filter((key) => key.startsWith('table_accuracy_'));
  const { rows } = await computed.table(String(table).replace(/^table_/, ''));
  expect(rows.find(({ row }) => row === 'class:trees')).toMatchObject({ mapped: 5, reference: 4, agreed: 4 });
  expect(rows.map(({ row }) => row)).toContain('class:built_up');
}

it('areas by class from published rasters equal the areas in the layer and in the sheet of the land-cover run', async () => {
  const computed = await startDerivedService({ scenesDir: dir, landCover: lulcPipeline });
  try {
    const years = { start_year: 2020, end_year: 2020 };
    const features = async (): Promise<readonly unknown[]> => {
      const path = await computed.fileOf('lulc_vector', 'lulc_vector_nirmalgarh_rangpur');
      return (JSON.parse(await readFile(path, 'utf8')) as FeatureCollection).features;
    };
    expect(await computed.make('lulc_vector', years)).toMatchObject({ status: 200 });
    const [again, sheet] = [await features(), await computed.table('lulc_vector')];
    expect(await computed.make('lulc_for_tehsil', { ...years, overwrite: true })).toMatchObject({ status: 200 });
    expect(again).toEqual(await features());
    const { columns, rows, version, runId } = await computed.table('lulc_vector');
    expect([columns, rows, version]).toEqual([sheet.columns, sheet.rows, sheet.version + 1]);
    expect(runId).not.toBe(sheet.runId);
    await scoreByOwnLegend(computed);
    expect((await computed.layers()).map(({ workspace }) => workspace)).toEqual([
      'LULC_level_1',
      'LULC_level_2',
      'LULC_level_3',
      'lulc_vector',
    ]);
  } finally {
    await computed.close();
  }
});

it('the stored result is reused while land cover and scenes are unchanged', async () => {
  const again = await service.make('generate_ndvi_timeseries', { start_year: 2020, end_year: 2020 });
  expect(again).toMatchObject({ status: 200, body: { reused: true } });
});
