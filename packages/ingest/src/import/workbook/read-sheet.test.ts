import { ImportNotes } from '@headwater/core';
import { expect, it } from 'vitest';
import type { RawCell, SheetRow } from './raw-cell.ts';
import { readSheet } from './read-sheet.ts';
import { sheetFormOf } from './sheet-list.ts';

async function* rowsOf(...rows: readonly (readonly (string | number | null)[])[]): AsyncGenerator<SheetRow> {
  for (const [index, cells] of rows.entries()) {
    const found = cells.flatMap((value, at): [number, RawCell][] =>
      value === null ? [] : [[at, { kind: 'value', value }]],
    );
    yield { number: index + 1, cells: new Map(found) };
  }
}

it('names rows apart, also where a water body is called by a number and others by none', async () => {
  const form = sheetFormOf('mws_intersect_swb');
  if (form === undefined) throw new Error('the sheet is one of the list');
  const findings = new ImportNotes();
  const task = {
    form,
    source: form.name,
    tehsilId: 1,
    uids: new Set(['12_9', '12_1']),
    findings,
    spend: () => {},
    types: new Map(),
  };
  const table = await readSheet(
    rowsOf(
      ['UID', 'swb_uid', 'area_in_ha'],
      ['12_9', null, 1],
      ['12_9', '1', 2],
      ['12_9', null, 3],
      ['12_9', '3', 4],
      ['12_1', null, 5],
      ['12_9', '3', 6],
    ),
    task,
  );
  expect(table?.rows.map(({ id, area_in_ha: area }) => [id, area])).toEqual([
    ['12_9:2', 1],
    ['12_9:1', 2],
    ['12_9:4', 3],
    ['12_9:3', 4],
    ['12_1:1', 5],
  ]);
  expect(findings.report.refused).toMatchObject([{ row: 7, problem: expect.stringContaining('Row 5 has "12_9:3"') }]);
});
