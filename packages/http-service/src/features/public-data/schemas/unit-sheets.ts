import type { TableHead } from '@headwater/core/ports';

/**
 * Columns by which sheets of the live system tell whose a row is (wire-contract 2.3): a micro-watershed, a village, a place of the census.
 * Readers join sheets on them.
 */
const UNIT_COLUMNS: ReadonlySet<string> = new Set([
  'uid',
  'mws_id',
  'mws uid',
  'vill_id',
  'village_id',
  'censuscode2011',
]);

/** A column's name as readers of sheets know it. */
export const sheetColumn = (name: string): string => name.trim().toLowerCase();

/**
 * Whether a table tells of units of its tehsil, and so is one of the tehsil's sheets. A table of anything else, as somebody's validation of
 * a layer is, belongs to the Item that leads to it.
 */
export function isUnitSheet({ columns }: Pick<TableHead, 'columns'>): boolean {
  return columns.some(({ name }) => UNIT_COLUMNS.has(sheetColumn(name)));
}
