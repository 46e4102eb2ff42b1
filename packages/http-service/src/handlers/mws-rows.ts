import type { DataStore, StoredTable, TableRow } from '@headwater/core';
import { WATER_BODIES_SHEET } from '../wire/schemas/kyl-record.ts';

/** Which rows of a micro-watershed are meant. */
export interface WantedRows {
  readonly tehsilId: number;
  readonly uid: string;
  readonly sheets: readonly string[];
}

/** Its row of each sheet that has one, by the name of the sheet. */
export async function rowsOf(
  data: Pick<DataStore, 'rowOf'>,
  { tehsilId, uid, sheets }: WantedRows,
): Promise<ReadonlyMap<string, TableRow>> {
  const found = await Promise.all(
    sheets.map(async (sheet) => [sheet, await data.rowOf(tehsilId, sheet, uid)] as const),
  );
  return new Map(found.flatMap(([sheet, row]): [string, TableRow][] => (row === undefined ? [] : [[sheet, row]])));
}

/** The sheet of water bodies with the rows of this micro-watershed, of which there are several; undefined where it is not published. */
export async function waterBodiesOf(
  data: Pick<DataStore, 'table'>,
  tehsilId: number,
  uid: string,
): Promise<StoredTable | undefined> {
  const table = await data.table(tehsilId, WATER_BODIES_SHEET);
  return table === undefined ? undefined : { ...table, rows: table.rows.filter((row) => row['uid'] === uid) };
}
