import { EXAMPLE_PLACE } from '@headwater/http-service';
import exceljs from 'exceljs';
import { describe, expect } from 'vitest';
import type { HttpTarget } from '../targets/target.ts';
import { defineCase, useHarness } from './harness.ts';
import { API, publicClient } from './public-client.ts';

const PLACE = `?${new URLSearchParams(EXAMPLE_PLACE).toString()}`;
const WORKBOOKS = ['generate_stats_excel_file', 'download_excel_layer'];

/** Files of a tehsil's numbers that need no key (wire-contract 2.10). */
export function downloadCases(target: HttpTarget): void {
  describe('downloads', () => {
    const harness = useHarness(target);
    const client = publicClient(harness);
    const get = async (path: string, init?: RequestInit): Promise<Response> => await harness().get(API + path, init);

    defineCase(target, 'the workbook has what the tables as JSON have, cell by cell', async () => {
      const { body } = await client.ask('get_tehsil_data', EXAMPLE_PLACE);
      for (const route of WORKBOOKS) {
        const answer = await get(`${route}/${PLACE}`);
        expect(answer.headers.get('content-type')).toMatch(/spreadsheetml\.sheet$/);
        expect(answer.headers.get('content-disposition')).toBe(
          'attachment; filename="sample_district_sample_tehsil.xlsx"',
        );
        const book = await new exceljs.Workbook().xlsx.load(await answer.arrayBuffer());
        expect(rowsBySheet(book)).toEqual(asCells(body));
        // A text that looks like a formula is none.
        expect(book.getWorksheet('sample_annual')?.getCell('C2').type).toBe(exceljs.ValueType.String);
        const titles = valuesOf(book.worksheets.find(({ name }) => name === 'sample_annual')?.getRow(1));
        expect(titles).toEqual(['UID', 'area_in_ha', 'note', 'Village IDs']);
      }
    });

    defineCase(target, 'the workbook is known by its tag, and HEAD sends none of it', async () => {
      const head = await get(`download_excel_layer/${PLACE}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const etag = head.headers.get('etag') ?? '';
      expect(etag).toMatch(/^W\/"[^"]+"$/);
      const again = await get(`download_excel_layer/${PLACE}`, { headers: { 'if-none-match': etag } });
      expect([again.status, await again.text()]).toEqual([304, '']);
      const other = await get(`download_excel_layer/${PLACE}`, { headers: { 'if-none-match': '"other"' } });
      expect(other.status).toBe(200);
      await other.body?.cancel();
    });

    defineCase(target, 'what is asked to be added stands in the workbook already', async () => {
      const answer = await get(`add_new_layer_data_to_excel/${PLACE}&sheets=terrain`);
      const sheets = ['mws_intersect_swb', 'sample_annual', 'terrain'];
      expect(await answer.json()).toEqual({ status: 'success', sheets });
    });

    defineCase(target, 'a place without tables has no workbook, and a hostile name is none', async () => {
      const { places } = harness().service.stores;
      const names = { state: 'Sample State', district: 'Sample District', block: 'No Tables' };
      const { tehsil } = await places.saveBundle({
        ...names,
        tehsil: names.block,
        geometry: null,
        mws: [],
        villages: [],
      });
      for (const route of [...WORKBOOKS, 'add_new_layer_data_to_excel']) {
        const none = await get(`${route}/?${new URLSearchParams(names).toString()}`);
        const error = 'Data not found for this state, district, tehsil';
        expect([none.status, await none.json()]).toMatchObject([404, { error }]);
        for (const block of ['../sample_tehsil', '..%2f..%2fetc', 'a'.repeat(10_000)]) {
          const hostile = await get(`${route}/?state=${names.state}&district=${names.district}&block=${block}`);
          expect([hostile.status, await hostile.json()]).toMatchObject([
            400,
            { errors: { block: [expect.any(String)] } },
          ]);
        }
      }
      await places.removeTehsil(tehsil.id);
    });
  });
}

/** Rows of a workbook by lower-case columns, as the tables as JSON name them. */
function rowsBySheet(book: exceljs.Workbook): unknown {
  return Object.fromEntries(
    book.worksheets.map((sheet) => {
      const titles = valuesOf(sheet.getRow(1)).map((title) => String(title).toLowerCase());
      const rows = sheet.getRows(2, sheet.rowCount - 1) ?? [];
      const cellsOf = (row: exceljs.Row): unknown =>
        Object.fromEntries(titles.map((title, index) => [title, row.getCell(index + 1).value]));
      return [sheet.name, rows.map(cellsOf)];
    }),
  );
}

const valuesOf = (row: exceljs.Row | undefined): readonly unknown[] =>
  Array.isArray(row?.values) ? row.values.slice(1) : [];

/** Tables as JSON, each list as the text that its cell holds. */
function asCells(body: unknown): unknown {
  const isCell = (value: unknown): boolean => Array.isArray(value) && value.every((each) => typeof each !== 'object');
  return JSON.parse(JSON.stringify(body), (_key, value: unknown) => (isCell(value) ? JSON.stringify(value) : value));
}
