import type { TableCell, TableRow } from '@headwater/core';

/** A field of the record, and what it is; undefined where the row does not tell. */
type Derived = Readonly<Record<string, (row: TableRow) => number | readonly number[] | undefined>>;

const YEARS = String.raw`\d{4}(?:[-_]\d{4})?$`;

/** Values of the columns that begin so and end with a year. */
function yearly(row: TableRow, prefix: string): readonly number[] {
  const column = new RegExp(`^${prefix}_${YEARS}`);
  return Object.entries(row).flatMap(([name, value]) =>
    column.test(name) && typeof value === 'number' ? [value] : [],
  );
}

const sumOf = (values: readonly number[]): number | undefined =>
  values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0);

const mean =
  (prefix: string) =>
  (row: TableRow): number | undefined => {
    const values = yearly(row, prefix);
    const sum = sumOf(values);
    return sum === undefined ? undefined : sum / values.length;
  };

/** 1 where the row says more than whose it is: a conflict, a mine. */
const isThere = (row: TableRow): number | undefined =>
  Object.entries(row).some(([name, value]) => name !== 'id' && name !== 'uid' && value !== null) ? 1 : undefined;

/** The index of the class that a text names, its letters compared. */
const classOf =
  (column: string, classes: readonly RegExp[]) =>
  (row: TableRow): number | undefined => {
    const text = String(row[column] ?? '')
      .toLowerCase()
      .replace(/[^a-z0-9]/g, '');
    const index = classes.findIndex((each) => each.test(text));
    return index < 0 ? undefined : index;
  };

const SOGE = [/^safe$/, /^semicritical$/, /^critical$/, /^overexploited$/, /^notassessed$/];
const AQUIFERS = [/^(hardrocks?|0)$/, /^(alluvi(al|um)|1)$/];

function villages(row: TableRow): readonly number[] | undefined {
  const ids: TableCell = row['village ids'] ?? null;
  if (typeof ids !== 'object' || ids === null) return undefined;
  return ids.map(Number).filter((id) => Number.isSafeInteger(id));
}

/** Sheets of imported workbooks (wire-contract 2.3) by which fields of the record (2.5) are reckoned; the first that tells one counts. */
export const KYL_DERIVED: Readonly<Record<string, Derived>> = {
  hydrological_annual: { avg_precipitation: mean('precipitation_in_mm'), avg_runoff: mean('runoff_in_mm') },
  croppingIntensity_annual: { cropping_intensity_avg: mean('cropping_intensity_unit_less') },
  croppingDrought_kharif: { avg_number_dry_spell: mean('drysp_unit_4_weeks') },
  nrega_annual: { total_nrega_assets: (row) => sumOf(yearly(row, '.+_count')) },
  mws_intersect_villages: { mws_intersect_villages: villages },
  aquifer_vector: { aquifer_class: classOf('aquifer_class', AQUIFERS) },
  soge_vector: { soge_class: classOf('class_name', SOGE) },
  lcw_conflict: { lcw_conflict: isThere },
  mining: { mining: isThere },
  green_credit: { green_credit: isThere },
  factory_csr: { factory_csr: isThere },
};

/** Fields that follow from the rows of a micro-watershed, by sheet. */
export function derivedFields(rows: ReadonlyMap<string, TableRow>): Readonly<Record<string, unknown>> {
  const told = [...rows].flatMap(([sheet, row]) =>
    Object.entries(KYL_DERIVED[sheet] ?? {}).flatMap(([field, read]) => {
      const value = read(row);
      return value === undefined ? [] : [[field, value] as const];
    }),
  );
  return Object.fromEntries(told);
}
