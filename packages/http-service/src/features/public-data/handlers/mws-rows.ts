import type { DataStore } from '@headwater/core/ports';
import type { TableRow } from '@headwater/core';
import { rowOfAll, WATER_BODIES_SHEET } from '../schemas/kyl-record.ts';

/** Which rows of a micro-watershed are meant. */
export interface WantedRows {
  readonly tehsilId: number;
  readonly uid: string;
  readonly sheets: readonly string[];
}

/** What sheets tell of a micro-watershed. */
export interface MwsRows {
  /** What the rows of each sheet that has any tell together (`rowOfAll`), by the name of the sheet. */
  readonly rows: ReadonlyMap<string, TableRow>;
  /** Water bodies that it meets. */
  readonly bodies: readonly TableRow[];
}

/** Reads them at one look. */
export async function mwsRows(data: Pick<DataStore, 'rowsOf'>, wanted: WantedRows): Promise<MwsRows> {
  const found = await data.rowsOf(wanted.tehsilId, [...wanted.sheets, WATER_BODIES_SHEET], wanted.uid);
  const rows = wanted.sheets.flatMap((sheet): [string, TableRow][] => {
    const row = rowOfAll(found.get(sheet) ?? []);
    return row === undefined ? [] : [[sheet, row]];
  });
  return { rows: new Map(rows), bodies: found.get(WATER_BODIES_SHEET) ?? [] };
}
