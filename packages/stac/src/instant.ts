import { StacError } from './errors.ts';

declare const instantBrand: unique symbol;

/** ISO 8601 / RFC 3339 text in UTC that ends in `Z` (`2024-07-01T00:00:00Z`). */
export type Instant = string & { readonly [instantBrand]: true };

const SHAPE = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:Z|\+00:00)$/;
const MONTH_DAYS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];

function daysIn(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
  return month === 2 && leap ? 29 : (MONTH_DAYS[month - 1] ?? 0);
}

/** True for RFC 3339 text in UTC (`Z` or `+00:00`) of an existing time, including leap seconds. */
export function isUtcText(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  const parts = SHAPE.exec(value);
  if (parts === null) return false;
  const [year, month, day] = [Number(parts[1]), Number(parts[2]), Number(parts[3])];
  const seconds = parts[4] === '23' && parts[5] === '59' ? 61 : 60;
  const inDay = Number(parts[4]) < 24 && Number(parts[5]) < 60 && Number(parts[6]) < seconds;
  return inDay && day >= 1 && day <= daysIn(year, month);
}

/** Like `isUtcText`, but also with `t` or a blank between day and time. */
export function isRfc3339UtcText(value: unknown): boolean {
  return typeof value === 'string' && isUtcText(value.replace(/^(.{10})[t ]/, '$1T'));
}

const LAST = '59.999999999';

/**
 * Parses UTC text; undefined for other text. Fractions are cut to nine digits. A leap second becomes second
 * 59.999999999.
 */
export function parseInstant(text: string): Instant | undefined {
  if (!isUtcText(text)) return undefined;
  const plain = text.replace('+00:00', 'Z').replace(/(\.\d{9})\d+Z$/, '$1Z');
  return plain.replace(/:60(?:\.\d+)?Z$/, `:${LAST}Z`) as Instant;
}

const OFFSET = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d:\d\d):(\d\d)(\.\d+)?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/;

/** Converts RFC 3339 text with any offset to UTC; undefined for other text. Fractions are cut to nine digits. */
export function toUtc(text: string): Instant | undefined {
  const [, day = '', minute = '', second = '', fraction = '', sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const isLeap = second === '60';
  const local = `${day}T${minute}:${isLeap ? '59' : second}Z`;
  if (!isUtcText(local)) return undefined;
  const ahead = sign === undefined ? 0 : Number(`${sign}1`) * (Number(hours) * 60 + Number(minutes));
  const shifted = new Date(Date.parse(local) - ahead * 60_000).toISOString();
  return parseInstant(shifted.replace(isLeap ? '59.000Z' : '.000Z', isLeap ? '60Z' : `${fraction}Z`));
}

/** Instant of a Date or of UTC text. Throws `StacError` for anything else. */
export function instant(value: Date | string): Instant {
  if (typeof value === 'string') {
    const parsed = parseInstant(value);
    if (parsed !== undefined) return parsed;
  } else if (!Number.isNaN(value.getTime())) {
    const parsed = parseInstant(value.toISOString().replace('.000Z', 'Z'));
    if (parsed !== undefined) return parsed;
  }
  throw new StacError(`instant: ${String(value)} is not a UTC time; write it as 2024-07-01T00:00:00Z`);
}

/** Compares instants, including all digits of fractions. The result is negative, 0 or positive. */
export function compareInstants(a: string, b: string): number {
  const [left, right] = [sortable(a), sortable(b)];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Text that sorts by time: seconds, then nine digits of fraction. */
function sortable(text: string): string {
  const fraction = text.charAt(19) === '.' ? text.slice(20).replace(/(?:Z|\+00:00)$/, '') : '';
  return text.slice(0, 19) + fraction.padEnd(9, '0').slice(0, 9);
}
