import { execFileSync } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { requestFor } from '@headwater/core';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import { validate } from '@headwater/stac';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPipelines } from '../pipelines.ts';
import { exactSums, isExact, type WantedSum } from './exact-sums.fixture.ts';
import { crawl, noGdal, noJudges, type StacDocument, storedFile, validCogs, validDocuments } from './judges.fixture.ts';
import { type ServerProcess, startServerProcess } from './server-process.ts';
import { type ColumnSum, NO_SUMS, type RasterRef, TABLE_SUMS } from './table-areas.fixture.ts';

if (noJudges !== undefined) console.log(`skipped: judges of all layers: ${noJudges}`);
if (noGdal !== undefined) console.log(`skipped: GDAL's judgement of all layers: ${noGdal}`);

/** Seconds that a fresh start with all layers may take on two cores that have nothing else to do. */
const BOUND_S = 60;
const CORES = 2;

/** A table as its address answers. */
interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly unit?: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

let dataDir: string;
let server: ServerProcess;
let documents: readonly StacDocument[];
let items: readonly StacDocument[];
let summary = '';
let seconds = Number.NaN;
/** How much more than the cores can do wanted them at once: below 1 the machine was quiet. */
let crowd = Number.NaN;

beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'headwater-all-'));
  const from = performance.now();
  server = await startServerProcess({ dataDir, args: ['--all-layers'] });
  [summary] = await server.printed(/ {2}Layers of [\s\S]*All of them: .*\n/, 600_000);
  seconds = (performance.now() - from) / 1000;
  crowd = Math.max(...loadavg()) / CORES;
  documents = [...(await crawl(`${server.baseUrl}/api/v1/stac/`)).values()];
  items = documents.filter(({ type }) => type === 'Feature');
}, 700_000);
afterAll(async () => {
  await server.stop('SIGKILL');
  await rm(dataDir, { recursive: true, force: true });
});

const stored = (href: string): string => storedFile(dataDir, href);
/** Files of all Items of a media type, each once. */
function filesOf(type: string): readonly string[] {
  const assets = items.flatMap((item) => Object.values(item.assets ?? {}));
  const own = assets.filter((asset) => asset.type?.startsWith(type) === true && asset.href.includes('/api/v1/assets/'));
  return [...new Set(own.map(({ href }) => stored(href)))];
}

it('computes every layer that place, years and account are enough for, and says which are left out', () => {
  const members = { state: 'a', district: 'b', tehsil: 'c', startYear: 2021, endYear: 2023, eoAccountId: 1 };
  for (const pipeline of createPipelines()) {
    const said = 'request' in requestFor(pipeline, members) ? 'computed in' : 'left out: its request asks for';
    expect(summary).toMatch(new RegExp(`^ {2}${pipeline.name} +${said}`, 'm'));
  }
  expect(summary).toMatch(/, 0 unchanged, 1 left out, 0 failed in/);
  for (const { id } of items) expect(summary).toContain(`/items/${id}/`);
});

it(`takes ${BOUND_S} s from nothing, database and sample included, or that much longer as others use the cores`, () => {
  const figures = `${seconds.toFixed(1)} s, the cores asked for ${crowd.toFixed(2)} times over`;
  console.log(`a first start with all layers took ${figures}`);
  expect(seconds, figures).toBeLessThan(BOUND_S * Math.max(1, crowd));
});

describe('the documents', () => {
  it('are valid by our own validator', () => {
    expect(items.length).toBeGreaterThan(25);
    for (const document of documents)
      expect([document.id, validate(document).filter(({ severity }) => severity === 'error')]).toEqual([
        document.id,
        [],
      ]);
  });

  it.skipIf(noJudges !== undefined)('are valid by pystac and stac-validator', { timeout: 300_000 }, async () => {
    expect(await validDocuments(documents, dataDir)).toBe(documents.length);
  });
});

describe.skipIf(noGdal !== undefined)('the files', () => {
  it('of rasters are COGs to GDAL', { timeout: 300_000 }, () => {
    const files = filesOf('image/tiff; application=geotiff; profile=cloud-optimized');
    expect(files.length).toBeGreaterThan(10);
    expect(validCogs(files)).toBe(files.length);
    for (const path of files) expect(execFileSync('gdalinfo', [path], { encoding: 'utf8' })).toContain('LAYOUT=COG');
  });

  it('of vectors have as many features to OGR as their Items say', { timeout: 300_000 }, () => {
    const vectors = items.filter(({ assets }) => assets?.['geojson'] !== undefined);
    expect(vectors.length).toBeGreaterThan(10);
    for (const { id, assets, properties } of vectors) {
      const path = stored(assets?.['geojson']?.href ?? '');
      const told = execFileSync('ogrinfo', ['-ro', '-so', '-al', path], { encoding: 'utf8' });
      expect([id, Number(/Feature Count: (\d+)/.exec(told)?.[1])]).toEqual([id, properties?.['table:row_count']]);
    }
  });
});

describe.skipIf(noJudges !== undefined)('areas by an independent exact method', () => {
  const MWS = (): string => join(dataDir, 'places', 'headwater-sample', 'mws.geojson');
  const tableKey = (name: string): string => `table_${name}`;

  async function tables(): Promise<readonly Table[]> {
    const assets = items.flatMap((item) => Object.entries(item.assets ?? {}));
    const own = assets.filter(([key, { type }]) => key.startsWith('table_') && type === 'application/json');
    return Promise.all(own.map(async ([, { href }]): Promise<Table> => JSON.parse(await (await fetch(href)).text())));
  }

  function fileOf([item, asset]: RasterRef, table: string): string {
    const found = items.find(({ id, assets }) =>
      item === 'own' ? assets?.[tableKey(table)] !== undefined : id.endsWith(`_jalsrota_${item}`),
    );
    const href = found?.assets?.[asset]?.href;
    if (href === undefined) throw new Error(`${table}: there is no asset ${asset} of an Item ${item}`);
    return stored(href);
  }

  it('each column of each table that holds areas is said to sum something', async () => {
    const found = await tables();
    expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['lulc_vector', 'terrain']));
    for (const { name, columns } of found) {
      const known = (TABLE_SUMS[name]?.(SAMPLE_YEARS) ?? []).map(({ column }) => column);
      const others = [...(NO_SUMS['*'] ?? []), ...(NO_SUMS[name] ?? [])];
      const areas = columns.filter(({ unit }) => unit === 'ha' || unit === '%').map((column) => column.name);
      const unsaid = areas.filter((column) => !known.includes(column) && !others.includes(column));
      expect([name, unsaid]).toEqual([name, []]);
    }
  });

  it('gives the sums of each table within a millionth', { timeout: 300_000 }, async () => {
    const found = (await tables()).filter(({ name }) => TABLE_SUMS[name] !== undefined);
    const columns = found.flatMap((table) =>
      (TABLE_SUMS[table.name]?.(SAMPLE_YEARS) ?? []).map((sum) => ({ table, sum })),
    );
    const wanted = columns.flatMap(({ table, sum: { rasters, codes, of } }): WantedSum[] => {
      const files = rasters.map((raster) => fileOf(raster, table.name));
      return [
        { files, codes },
        { files, codes: of ?? [] },
      ];
    });
    const exact = exactSums(MWS(), 'uid', wanted);
    let compared = 0;
    for (const [index, { table, sum }] of columns.entries()) {
      const [part, whole] = [exact[2 * index] ?? {}, exact[2 * index + 1] ?? {}];
      for (const [uid, area] of Object.entries(part)) {
        const expected = sum.of === undefined ? area : (100 * area) / (whole[uid] ?? Number.NaN);
        const actual = sumOf(table, sum, uid);
        expect(isExact(actual, expected), `${table.name} ${sum.column} ${uid}: ${actual}, exactly ${expected}`).toBe(
          true,
        );
        compared += 1;
      }
    }
    console.log(`${compared} figures of ${found.length} tables equal an exact method's within a millionth`);
    expect(compared).toBeGreaterThan(1000);
  });

  it('finds out a column that sums other pixels', { timeout: 120_000 }, async () => {
    const table = (await tables()).find(({ name }) => name === 'lulc_vector');
    const [column = '', raster] = [
      `tree_forest_in_ha_${SAMPLE_YEARS[0]}`,
      `land_use_land_cover_raster_${SAMPLE_YEARS[0]}`,
    ];
    const files = [fileOf([raster ?? '', 'cog'], 'lulc_vector')];
    const [trees = {}, shrubs = {}] = exactSums(MWS(), 'uid', [
      { files, codes: [6] },
      { files, codes: [12] },
    ]);
    const exact = (sums: Readonly<Record<string, number>>): boolean =>
      (table?.rows ?? []).every((row) => isExact(Number(row[column]), sums[String(row['uid'])] ?? Number.NaN));
    expect([exact(trees), exact(shrubs)]).toEqual([true, false]);
  });

  /** Figure of a micro-watershed; of a table with several rows for one their sum. */
  function sumOf({ rows }: Table, { column }: ColumnSum, uid: string): number {
    return rows.filter((row) => row['uid'] === uid).reduce((sum, row) => sum + Number(row[column]), 0);
  }

  it('gives the crops of each cell of the grid', { timeout: 120_000 }, async () => {
    const grid = items.find(({ id }) => id.endsWith('_crop_grid_vector'));
    const path = stored(grid?.assets?.['geojson']?.href ?? '');
    const { features }: { readonly features: readonly { readonly properties: Readonly<Record<string, unknown>> }[] } =
      JSON.parse(await readFile(path, 'utf8'));
    const year = SAMPLE_YEARS[2];
    const columns = {
      cropped_area_in_ha: [8, 9, 10, 11],
      [`single_kharif_cropped_area_${year}`]: [8],
      [`single_non_kharif_cropped_area_${year}`]: [9],
      [`doubly_cropped_area_${year}`]: [10],
      [`triply_cropped_area_${year}`]: [11],
    };
    const files = [fileOf([`land_use_land_cover_raster_${year}`, 'cog'], 'crop_grid')];
    const sums = exactSums(
      path,
      'cell_id',
      Object.values(columns).map((codes) => ({ files, codes })),
    );
    expect(features.length).toBeGreaterThan(5);
    for (const [index, column] of Object.keys(columns).entries()) {
      for (const { properties } of features) {
        const [actual, expected] = [Number(properties[column]), sums[index]?.[String(properties['cell_id'])]];
        expect(isExact(actual, expected ?? Number.NaN), `${column} ${String(properties['cell_id'])}`).toBe(true);
      }
    }
  });

  it('gives the cropping intensity of every year within 1e-12 of its formula, and its averages', async () => {
    const found = await tables();
    const rowsOf = (name: string): Table['rows'] => found.find((table) => table.name === name)?.rows ?? [];
    const indicators = rowsOf('kyl_cropping_intensity');
    expect(indicators.length).toBeGreaterThanOrEqual(20);
    for (const row of rowsOf('croppingIntensity_annual')) {
      const total = Number(row['sum_area_in_ha']);
      const area = (part: string, year: number): number =>
        Number(row[`${part}_cropped_area_in_ha_${year}-${year + 1}`]);
      const intensity = (year: number): number =>
        (area('single_kharif', year) +
          area('single_non_kharif', year) +
          2 * area('doubly', year) +
          3 * area('triply', year)) /
        total;
      for (const year of SAMPLE_YEARS) {
        const told = Number(row[`cropping_intensity_unit_less_${year}-${year + 1}`]);
        expect(Math.abs(told - intensity(year))).toBeLessThanOrEqual(1e-12);
      }
      const own = indicators.find(({ uid }) => uid === row['uid']) ?? {};
      const mean = (of: (year: number) => number): number => SAMPLE_YEARS.reduce((sum, year) => sum + of(year), 0) / 3;
      const averages = {
        cropping_intensity_avg: mean(intensity),
        avg_single_cropped: mean((year) => (100 * area('single', year)) / total),
        avg_double_cropped: mean((year) => (100 * area('doubly', year)) / total),
        avg_triple_cropped: mean((year) => (100 * area('triply', year)) / total),
      };
      for (const [name, average] of Object.entries(averages))
        expect(Math.abs(Number(own[name]) - average)).toBeLessThanOrEqual(1e-12 * Math.max(1, average));
      // Three years can never be certain of a trend.
      expect(own['cropping_intensity_trend']).toBe('0');
    }
  });
});

it('computes nothing anew at the next start', { timeout: 120_000 }, async () => {
  await server.stop('SIGINT');
  server = await startServerProcess({ dataDir, args: ['--all-layers'] });
  const [again] = await server.printed(/ {2}Layers of .*\n/, 60_000);
  expect(again).toMatch(new RegExp(`: 0 computed, ${createPipelines().length - 1} unchanged, 1 left out, 0 failed in`));
});
