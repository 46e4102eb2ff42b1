/** A cell as the workbook stores it. */
export type RawCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** A day, a time or a span, by its format: the number that stands for it, and the same as ISO text. */
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
/** The day of the first calendar that no year has (a bug of Lotus 1-2-3 that Excel has too). Days before it are one later than they count. */
const NO_DAY = 60;
/** First moment after those that ISO 8601 writes with four digits. */
const END_MS = Date.UTC(10_000, 0, 1);

/** Result of a cell's format: a day with or without a time, a time of day, or a span of time that may be longer than a day. */
export type ShownTime = 'day' | 'time' | 'span';

/**
 * A number of a spreadsheet's calendar as ISO text: `2021-07-01`, or with a time where there is one; `06:00:00` for a time without a day,
 * `132:00:00` for a span. Undefined beyond the years 1 to 9999, and for days that the calendar from 1900 does not have.
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
  // A time that is rounded up to midnight has no day to go on to; a day of the same number is the next one.
  if (shown === 'time' && ms >= 0 && serial < 1) return spanText(ms % DAY_MS);
  if (is1900 && ms < DAY_MS) return spanText(ms);
  const day = Math.floor(ms / DAY_MS);
  if (is1900 && day === NO_DAY) return undefined;
  const moment = EPOCHS[calendar] + ms + (is1900 && day < NO_DAY ? DAY_MS : 0);
  if (!(moment > -62_135_596_800_000 && moment < END_MS)) return undefined;
  const text = new Date(moment).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

/** Hours, minutes and seconds, with milliseconds where there are some. */
function spanText(ms: number): string {
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0');
  return `${hours}:${new Date(ms % 3_600_000).toISOString().slice(14, 23).replace('.000', '')}`;
}
