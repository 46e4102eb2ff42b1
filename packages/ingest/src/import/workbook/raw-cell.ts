/** A cell, as it is stored in the file of a workbook. */
export type RawCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** A day, a time or a duration (the cell's format decides which): the stored number, and its ISO text. */
  | { readonly kind: 'date'; readonly value: number; readonly iso: string }
  /** An error such as `#DIV/0!`. */
  | { readonly kind: 'error'; readonly text: string }
  /** A formula. The cached value of the formula is not used, because it may be outdated. */
  | { readonly kind: 'formula' };

/** Cells of a row by column index, from 0; empty cells are left out. */
export interface SheetRow {
  /** Row number from 1, as the spreadsheet shows it. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, RawCell>;
}

const DAY_MS = 86_400_000;
/**
 * Day 0 of the two calendars of spreadsheets. In the calendar that begins in 1900, day 1 is 1 January 1900. Its day 0 below is
 * correct only after 29 February 1900, a day of this calendar.
 */
const EPOCHS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const;
/**
 * Number of 29 February 1900. This day did not exist, but Excel counts it (a bug copied from Lotus 1-2-3). Counted from
 * day 0, the numbers of earlier days are therefore too low by one.
 */
const NO_DAY = 60;
/** Start of the year 10000, which ISO 8601 cannot write with four digits. */
const END_MS = Date.UTC(10_000, 0, 1);

/**
 * Kind of value that a cell's format shows: a day with or without a time, a time of day, or a duration. A duration may be longer than 24 hours.
 */
export type ShownTime = 'day' | 'time' | 'span';

/**
 * Converts a number of a spreadsheet's calendar to ISO text: `2021-07-01`, with a time if the number has a time; `06:00:00` for a time
 * without a day; `132:00:00` for a duration. Undefined for negative times, for days outside of the years 1 to 9999, and for 29 February 1900.
 */
export function isoOfSerial(
  serial: number,
  calendar: keyof typeof EPOCHS,
  shown: ShownTime = 'day',
): string | undefined {
  const ms = Math.round(serial * DAY_MS);
  const is1900 = calendar === 'from1900';
  if (ms < 0 && (is1900 || shown === 'span')) return undefined;
  if (shown === 'span') return spanText(ms);
  // A time just before midnight is rounded up to 24 hours. Without this check, such a time would be read as a day.
  if (shown === 'time' && ms >= 0 && serial < 1) return spanText(ms % DAY_MS);
  if (is1900 && ms < DAY_MS) return spanText(ms);
  const day = Math.floor(ms / DAY_MS);
  if (is1900 && day === NO_DAY) return undefined;
  const moment = EPOCHS[calendar] + ms + (is1900 && day < NO_DAY ? DAY_MS : 0);
  if (!(moment > -62_135_596_800_000 && moment < END_MS)) return undefined;
  const text = new Date(moment).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** Formats hours, minutes and seconds, and the milliseconds if these are not 0. */
function spanText(ms: number): string {
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0');
  return `${hours}:${new Date(ms % 3_600_000).toISOString().slice(14, 23).replace('.000', '')}`;
}
