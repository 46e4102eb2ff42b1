import { ImportNotes } from '../shared/import-notes.ts';
import { expect, it } from 'vitest';
import type { RawCell, SheetRow } from './raw-cell.ts';
import { readSheet } from './read-sheet.ts';
import { sheetFormOf } from './sheet-list.ts';

type Cells = readonly (string | number | null)[];

async function* rowsOf(...rows: readonly Cells[]): AsyncGenerator<SheetRow> {
  for (const [index, cells] of rows.entries()) {
    const found = cells.flatMap((value, at): [number, RawCell][] =>
      value === null ? [] : [[at, { kind: 'value', value }]],
    );
    yield { number: index + 1, cells: new Map(found) };
  }
}

it('gives each row its own id, even if some water bodies have numbers as names and others have no name', async () => {
  const { table, report } = await read(
    'mws_intersect_swb',
    ['UID', 'swb_uid', 'area_in_ha'],
    ['12_9', null, 1],
    ['12_9', '1', 2],
    ['12_9', null, 3],
    ['12_9', '3', 4],
    ['12_1', null, 5],
    ['12_9', '3', 6],
  );
  expect(table?.rows.map(({ id, area_in_ha: area }) => [id, area])).toEqual([
    ['12_9:2', 1],
    ['12_9:1', 2],
    ['12_9:4', 3],
    ['12_9:3', 4],
    ['12_1:1', 5],
  ]);
  expect(report.refused).toMatchObject([{ row: 7, problem: expect.stringContaining('Row 5 has "12_9:3"') }]);
});

async function read(name: string, ...rows: readonly Cells[]) {
  const form = sheetFormOf(name);
  if (form === undefined) throw new Error('the sheet must be in the list');
  const findings = new ImportNotes();
  const task = { form, source: name, tehsilId: 1, findings, spend: () => {}, types: new Map() };
  const table = await readSheet(rowsOf(...rows), { ...task, uids: new Set(['12_9', '12_1']) });
  return { table, report: findings.report };
}

it('stores a column of codes as numbers if all cells are numbers, otherwise as texts', async () => {
  const numbers = await read('soge_vector', ['UID', 'class_code'], ['12_9', 1], ['12_1', null]);
  expect(numbers.table?.rows).toEqual([
    { uid: '12_9', class_code: 1 },
    { uid: '12_1', class_code: null },
  ]);
  const texts = await read('soge_vector', ['UID', 'class_code'], ['12_9', 1], ['12_1', 'B']);
  expect(texts.table?.rows.map(({ class_code: code }) => code)).toEqual(['1', 'B']);
  const census = ['village_id', 'state_census_ID', 'dist_census_ID', 'block_census_ID'];
  const village = await read('social_economic_indicator', census, [641_000, 2, 25, '0021']);
  expect(village.table?.rows).toMatchObject([{ state_census_id: 2, dist_census_id: 25, block_census_id: '0021' }]);
});

it('recognises a uid with surrounding blanks', async () => {
  const { table, report } = await read('soge_vector', ['UID', 'soge_dev_percent'], [' 12_9 ', 120], ['12_9', 7]);
  expect(table?.rows).toEqual([{ uid: '12_9', soge_dev_percent: 120 }]);
  expect(report.refused).toMatchObject([{ row: 3, problem: expect.stringContaining('Row 2 has "12_9" already') }]);
});

it('reports impossible areas and counts, and stores them unchanged', async () => {
  const columns = ['mws_id', 'plantations_count_2018', 'area_in_ha'];
  const { table, report } = await read('nrega_annual', columns, ['12_9', -4, 1e308], ['12_1', 4, 500]);
  expect(table?.rows).toMatchObject([{ plantations_count_2018: -4, area_in_ha: 1e308 }, {}]);
  expect(report.refused).toEqual([]);
  expect(report.repaired).toEqual([
    {
      source: 'nrega_annual',
      row: 2,
      repair:
        'Stored unchanged, although impossible: plantations_count_2018 (-4 is below 0), area_in_ha (1e+308 ha is more than the surface of the Earth). Correct the workbook and import it again.',
    },
  ]);
});
