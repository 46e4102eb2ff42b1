import type { TableHead } from '@headwater/core/ports';

/**
 * Columns that identify the unit of a row: a micro-watershed, a village, a place of the census. Readers join sheets on these
 * columns.
 */
const UNIT_COLUMNS: ReadonlySet<string> = new Set([
  'uid',
  'mws_id',
  'mws uid',
  'vill_id',
  'village_id',
  'censuscode2011',
]);

/** Name of a column as readers of sheets see it: trimmed, in lower case. */
export const sheetColumn = (name: string): string => name.trim().toLowerCase();

/**
 * True if the rows of a table describe units of its tehsil. Only such tables are sheets of the tehsil. Other tables,
 * such as a validation of a layer, belong to the Item that links to them.
 */
export function isUnitSheet({ columns }: Pick<TableHead, 'columns'>): boolean {
  return columns.some(({ name }) => UNIT_COLUMNS.has(sheetColumn(name)));
}
