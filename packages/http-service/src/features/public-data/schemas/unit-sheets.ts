import type { TableHead } from '@headwater/core/ports';

/** Columns that identify the unit of a row. Clients join sheets by these columns. */
const UNIT_COLUMNS: ReadonlySet<string> = new Set([
  'uid',
  'mws_id',
  'mws uid',
  'vill_id',
  'village_id',
  'censuscode2011',
]);

/** Name of a column for clients that read sheets: trimmed, in lower case. */
export const sheetColumn = (name: string): string => name.trim().toLowerCase();

/** True if the rows of a table describe units of its tehsil. Validations have other rows. */
export function isUnitSheet({ columns }: Pick<TableHead, 'columns'>): boolean {
  return columns.some(({ name }) => UNIT_COLUMNS.has(sheetColumn(name)));
}
