import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import { describe, expect, it } from 'vitest';
import { exactSums, isExact, type WantedSum } from './exact-sums.fixture.ts';
import { noJudges, type StacDocument, storedFile } from './judges.fixture.ts';
import { type ColumnSum, NO_SUMS, type RasterRef, TABLE_SUMS } from './table-areas.fixture.ts';

interface Table {
  readonly name: string;
  readonly columns: readonly { readonly name: string; readonly unit?: string }[];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

/** The published data that the suite checks. */
export interface PublishedWorld {
  readonly dataDir: string;
  readonly items: readonly StacDocument[];
}

/** Suite that compares all areas in the tables and in the crop grid with an exact method. */
export function areaSuite(world: () => PublishedWorld): void {
  describe.skipIf(noJudges !== undefined)('areas that an independent exact method computes', () => {
    const timeout = 300_000;
    it('exist for each column of areas, except columns in the list of exceptions', () => allDeclared(world()));
    it('equal the sums of each table within a millionth', { timeout }, () => sumsAreExact(world()));
    it('of another class differ from the table, which proves that the comparison can fail', { timeout }, () =>
      detectsOtherSums(world()),
    );
    it('equal the areas of crops in each cell of the grid', { timeout }, () => cellsAreExact(world()));
    it('are not compared with cropping intensities and their averages: these must follow from the published areas (within 1e-12)', () =>
      intensitiesFollow(world()));
  });
}

const mwsFile = ({ dataDir }: PublishedWorld): string => join(dataDir, 'places', 'headwater-sample', 'mws.geojson');

async function tablesOf({ items }: PublishedWorld): Promise<readonly Table[]> {
  const assets = items.flatMap((item) => Object.entries(item.assets ?? {}));
  const own = assets.filter(([key, { type }]) => key.startsWith('table_') && type === 'application/json');
  return Promise.all(own.map(async ([, { href }]): Promise<Table> => JSON.parse(await (await fetch(href)).text())));
}

function fileOf({ dataDir, items }: PublishedWorld, [item, asset]: RasterRef, table: string): string {
  const found = items.find(({ id, assets }) =>
    item === 'own' ? assets?.[`table_${table}`] !== undefined : id.endsWith(`_jalsrota_${item}`),
  );
  const href = found?.assets?.[asset]?.href;
  if (href === undefined) throw new Error(`${table}: Item ${item} has no asset ${asset}`);
  return storedFile(dataDir, href);
}

/** Sum of a column in the rows of a uid; NaN if a value is null. */
function sumOf({ rows }: Table, { column }: ColumnSum, uid: string): number {
  const cells = rows.filter((row) => row['uid'] === uid).map((row) => row[column]);
  return cells.reduce<number>((sum, cell) => sum + (typeof cell === 'number' ? cell : Number.NaN), 0);
}

async function allDeclared(world: PublishedWorld): Promise<void> {
  const found = await tablesOf(world);
  expect(found.map(({ name }) => name)).toEqual(expect.arrayContaining(['lulc_vector', 'terrain']));
  for (const { name, columns } of found) {
    const declared = (TABLE_SUMS[name]?.(SAMPLE_YEARS) ?? []).map(({ column }) => column);
    const others = [...(NO_SUMS['*'] ?? []), ...(NO_SUMS[name] ?? [])];
    const areas = columns.filter(({ unit }) => unit === 'ha' || unit === '%').map((column) => column.name);
    const undeclared = areas.filter((column) => !declared.includes(column) && !others.includes(column));
    expect([name, undeclared]).toEqual([name, []]);
  }
}

async function sumsAreExact(world: PublishedWorld): Promise<void> {
  const found = (await tablesOf(world)).filter(({ name }) => TABLE_SUMS[name] !== undefined);
  const columns = found.flatMap((table) =>
    (TABLE_SUMS[table.name]?.(SAMPLE_YEARS) ?? []).map((sum) => ({ table, sum })),
  );
  const wanted = columns.flatMap(({ table, sum: { rasters, codes, of } }): WantedSum[] => {
    const files = rasters.map((raster) => fileOf(world, raster, table.name));
    return [
      { files, codes },
      { files, codes: of ?? [] },
    ];
  });
  const exact = exactSums(mwsFile(world), 'uid', wanted);
  let compared = 0;
  for (const [index, { table, sum }] of columns.entries()) {
    const [part, whole] = [exact[2 * index] ?? {}, exact[2 * index + 1] ?? {}];
    for (const [uid, area] of Object.entries(part)) {
      const expected = sum.of === undefined ? area : (100 * area) / (whole[uid] ?? Number.NaN);
      const actual = sumOf(table, sum, uid);
      // If the whole area is 0, the percentage is null in the table, and both values are NaN.
      if (Number.isNaN(expected) && Number.isNaN(actual)) continue;
      expect(isExact(actual, expected), `${table.name} ${sum.column} ${uid}: ${actual}, exactly ${expected}`).toBe(
        true,
      );
      compared += 1;
    }
  }
  console.log(`${compared} values of ${found.length} tables equal the values of an exact method within a millionth`);
  expect(compared).toBeGreaterThan(1000);
}

async function detectsOtherSums(world: PublishedWorld): Promise<void> {
  const table = (await tablesOf(world)).find(({ name }) => name === 'lulc_vector');
  const [column, raster] = [`tree_forest_in_ha_${SAMPLE_YEARS[0]}`, `land_use_land_cover_raster_${SAMPLE_YEARS[0]}`];
  const files = [fileOf(world, [raster, 'cog'], 'lulc_vector')];
  const [trees = {}, shrubs = {}] = exactSums(mwsFile(world), 'uid', [
    { files, codes: [6] },
    { files, codes: [12] },
  ]);
  const exact = (sums: Readonly<Record<string, number>>): boolean =>
    (table?.rows ?? []).every((row) => isExact(Number(row[column]), sums[String(row['uid'])] ?? Number.NaN));
  expect([exact(trees), exact(shrubs)]).toEqual([true, false]);
}

async function cellsAreExact(world: PublishedWorld): Promise<void> {
  const grid = world.items.find(({ id }) => id.endsWith('_crop_grid_vector'));
  const path = storedFile(world.dataDir, grid?.assets?.['geojson']?.href ?? '');
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
  const files = [fileOf(world, [`land_use_land_cover_raster_${year}`, 'cog'], 'crop_grid')];
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
}

/**
 * Checks that cropping intensities, and averages in the table `kyl_cropping_intensity`, follow from the areas of the
 * annual sheet.
 */
async function intensitiesFollow(world: PublishedWorld): Promise<void> {
  const found = await tablesOf(world);
  const rowsOf = (name: string): Table['rows'] => found.find((table) => table.name === name)?.rows ?? [];
  const indicators = rowsOf('kyl_cropping_intensity');
  expect(indicators.length).toBeGreaterThanOrEqual(20);
  for (const row of rowsOf('croppingIntensity_annual')) {
    const total = Number(row['sum_area_in_ha']);
    const area = (part: string, year: number): number => Number(row[`${part}_cropped_area_in_ha_${year}-${year + 1}`]);
    // Area that had crops in any year and was observed in this year.
    const seen = (year: number): number => total - Number(row[`unseen_cropable_area_in_ha_${year}-${year + 1}`]);
    const intensity = (year: number): number =>
      (area('single_kharif', year) +
        area('single_non_kharif', year) +
        2 * area('doubly', year) +
        3 * area('triply', year)) /
      seen(year);
    for (const year of SAMPLE_YEARS) {
      const published = Number(row[`cropping_intensity_unit_less_${year}-${year + 1}`]);
      expect(Math.abs(published - intensity(year))).toBeLessThanOrEqual(1e-12);
    }
    const own = indicators.find(({ uid }) => uid === row['uid']) ?? {};
    const mean = (of: (year: number) => number): number => SAMPLE_YEARS.reduce((sum, year) => sum + of(year), 0) / 3;
    const averages = {
      cropping_intensity_avg: mean(intensity),
      avg_single_cropped: mean((year) => (100 * area('single', year)) / seen(year)),
      avg_double_cropped: mean((year) => (100 * area('doubly', year)) / seen(year)),
      avg_triple_cropped: mean((year) => (100 * area('triply', year)) / seen(year)),
    };
    for (const [name, average] of Object.entries(averages))
      expect(Math.abs(Number(own[name]) - average)).toBeLessThanOrEqual(1e-12 * Math.max(1, average));
    // Three years are too few for a significant trend.
    expect(own['cropping_intensity_trend']).toBe('0');
  }
}
