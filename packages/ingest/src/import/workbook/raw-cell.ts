/** A cell as the workbook stores it. */
export type RawCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** A day, or a day and a time, by its format: the number that stands for it, and the same as ISO text. */
  | { readonly kind: 'date'; readonly value: number; readonly iso: string }
  /** Such as `#DIV/0!`. */
  | { readonly kind: 'error'; readonly text: string }
  /** A formula: what the workbook stores as its value may be old, or anything. */
  | { readonly kind: 'formula' };

/** Cells of a row by the index of their column, from 0; empty ones are left out. */
export interface SheetRow {
  /** Counted from 1, as the spreadsheet shows it. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, RawCell>;
}

const DAY_MS = 86_400_000;
/** Day 0 of each calendar of spreadsheets; in the first, 1 January 1900 is day 1 and 29 February 1900 is taken to exist. */
const EPOCHS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const;
/** Last moment that ISO 8601 writes with four digits. */
const LAST_MS = Date.UTC(9999, 11, 31);

/** A day of a spreadsheet's calendar as ISO text (`2021-07-01`, or with a time of day where there is one); undefined beyond the years 1 to 9999. */
export function isoOfSerial(serial: number, calendar: keyof typeof EPOCHS): string | undefined {
  const ms = EPOCHS[calendar] + Math.round(serial * DAY_MS);
  if (!(ms > -62_135_596_800_000 && ms < LAST_MS)) return undefined;
  const text = new Date(ms).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}
