import type { DataStore, TableHead } from '@headwater/core/ports';
import { isUnitSheet } from '../schemas/unit-sheets.ts';
import { absent } from '../../../wire/absent.ts';
import { spreadsheetColumn } from '../schemas/sheet-columns.ts';
import { workbookStream, type WorkbookSheet } from './write-workbook.ts';

/** Media type of an .xlsx file. */
export const XLSX_TYPE = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** Heads of the sheets of a tehsil, ordered by name. Throws `not_found` if there is no sheet. */
export async function sheetHeads(data: Pick<DataStore, 'tablesOf'>, tehsilId: number): Promise<readonly TableHead[]> {
  const heads = (await data.tablesOf(tehsilId)).filter(isUnitSheet);
  if (heads.length === 0) throw absent('tables', {});
  return heads;
}

/**
 * Streams a workbook, one table at a time. The first table is read before the stream is returned, so that its errors
 * are thrown before the response begins.
 */
export async function tehsilWorkbook(
  data: Pick<DataStore, 'table'>,
  heads: readonly Pick<TableHead, 'tehsilId' | 'name'>[],
): Promise<ReadableStream<Uint8Array>> {
  const sheets = sheetsOf(data, heads);
  return workbookStream(withRest(await sheets.next(), sheets));
}

async function* withRest<T>(first: IteratorResult<T, void>, rest: AsyncGenerator<T, void>): AsyncGenerator<T, void> {
  if (first.done === true) return;
  yield first.value;
  yield* rest;
}

async function* sheetsOf(
  data: Pick<DataStore, 'table'>,
  heads: readonly Pick<TableHead, 'tehsilId' | 'name'>[],
): AsyncGenerator<WorkbookSheet, void> {
  for (const { tehsilId, name } of heads) {
    const table = await data.table(tehsilId, name);
    if (table === undefined) continue;
    const names = table.columns.map((column) => column.name);
    const rows = table.rows.map((row) => names.map((each) => row[each] ?? null));
    yield { name, columns: names.map(spreadsheetColumn), rows };
  }
}
