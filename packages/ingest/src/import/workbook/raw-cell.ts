/** Stored cell of a workbook. */
export type RawCell =
  | { readonly kind: 'value'; readonly value: string | number | boolean }
  /** Day, time or duration: the stored number, and its ISO text. */
  | { readonly kind: 'date'; readonly value: number; readonly iso: string }
  /** Error such as `#DIV/0!`. */
  | { readonly kind: 'error'; readonly text: string }
  /** Formula. Its cached value is not used, because it may be outdated. */
  | { readonly kind: 'formula' };

/** Cells of a row by column index from 0, without empty cells. */
export interface SheetRow {
  /** Row number from 1, as spreadsheets show it. */
  readonly number: number;
  readonly cells: ReadonlyMap<number, RawCell>;
}

const DAY_MS = 86_400_000;
/** Day 0 of the two calendars. `from1900` fits days after `NO_DAY`; for earlier days, one day is added. */
const EPOCHS = { from1900: Date.UTC(1899, 11, 30), from1904: Date.UTC(1904, 0, 1) } as const;
/**
 * Number of 29 February 1900, which Excel counts although it did not exist (a bug of Lotus 1-2-3). So the numbers of
 * earlier days are too low by one.
 */
const NO_DAY = 60;
/** First instant after the year 9999, the last year of ISO 8601 (years have four digits). */
const END_MS = Date.UTC(10_000, 0, 1);

/** Value that a cell's format shows; a duration (`span`) may exceed 24 hours. */
export type ShownTime = 'day' | 'time' | 'span';

/**
 * ISO text of a spreadsheet's number: `2021-07-01` (with a time if necessary), `06:00:00`, or the duration `132:00:00`.
 * Undefined for negative durations, negative numbers of the calendar from 1900, years outside of 1 to 9999, and
 * 29 February 1900.
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
  // A time that is rounded up to 24 hours becomes 00:00:00. Otherwise it would be returned as a day.
  if (shown === 'time' && ms >= 0 && serial < 1) return spanText(ms % DAY_MS);
  if (is1900 && ms < DAY_MS) return spanText(ms);
  const day = Math.floor(ms / DAY_MS);
  if (is1900 && day === NO_DAY) return undefined;
  const moment = EPOCHS[calendar] + ms + (is1900 && day < NO_DAY ? DAY_MS : 0);
  if (!(moment > -62_135_596_800_000 && moment < END_MS)) return undefined;
  const text = new Date(moment).toISOString();
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text;
}

function spanText(ms: number): string {
  const hours = String(Math.floor(ms / 3_600_000)).padStart(2, '0');
  return `${hours}:${new Date(ms % 3_600_000).toISOString().slice(14, 23).replace('.000', '')}`;
}
