/**
 * Years 0001 to 9999, days that exist, 24 hours, no leap seconds, up to nine digits of fractions, UTC or an offset below 16 hours, which is
 * as far as PostgreSQL goes; with an offset neither the first year nor the last, which it could lead out of. JavaScript and PostgreSQL read
 * this one pattern alike, so that what is an instant here is one there, and no cast can fail.
 */
export const INSTANT_PATTERN = [
  '^(?!0000)(?!(0001|9999)-.*T.*[+-](0[1-9]|1|00:0*[1-9]))(',
  '[0-9]{4}-(0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])',
  '|[0-9]{4}-(0[469]|11)-(0[1-9]|[12][0-9]|30)',
  '|[0-9]{4}-02-(0[1-9]|1[0-9]|2[0-8])',
  '|([0-9]{2}(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29',
  ')(T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]{1,9})?(Z|[+-](0[0-9]|1[0-5]):[0-5][0-9]))?$',
].join('');

const INSTANT = new RegExp(INSTANT_PATTERN);
const OFFSET = /([+-])([0-9]{2}):([0-9]{2})$/;
const MINUTE_MS = 60_000;

/** Before and after every instant, as `-infinity` and `infinity` are in PostgreSQL. */
export const BEFORE_ALL = '';
export const AFTER_ALL = '~';

const DAY = 10;
const SECOND = 19;
const MICROSECONDS = 6;

/**
 * An instant as a text that sorts in time, `2020-01-31T10:00:00.000000`: PostgreSQL keeps microseconds, further digits are cut off.
 * A day is its first moment. Undefined for what is no instant, or not of the kind.
 */
export function instantKey(text: string, kind: 'timestamp' | 'date' | 'any' = 'any'): string | undefined {
  if (text.length > 40 || !INSTANT.test(text)) return undefined;
  const isDay = text.length === DAY;
  if (kind !== 'any' && isDay !== (kind === 'date')) return undefined;
  if (isDay) return `${text}T00:00:00.000000`;
  const fraction = text[SECOND] === '.' ? text.slice(SECOND + 1).replace(/[Z+-].*$/, '') : '';
  return `${utcSeconds(text)}.${fraction.padEnd(MICROSECONDS, '0').slice(0, MICROSECONDS)}`;
}

/** Its seconds in UTC; offsets are whole minutes, so that fractions stay as they are. */
function utcSeconds(text: string): string {
  const seconds = text.slice(0, SECOND);
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  if (offset === 0) return seconds;
  return new Date(Date.parse(`${seconds}Z`) - offset * MINUTE_MS).toISOString().slice(0, SECOND);
}

/** True for a day, and for a timestamp that is written in UTC: what the standard takes as a literal. */
export function isInUtc(text: string): boolean {
  const [offset] = OFFSET.exec(text) ?? [];
  return text.length === DAY || offset === undefined || offset.endsWith('00:00');
}

/** The last moment of an end of an interval: a day is the whole day. */
export function endKey(text: string): string | undefined {
  return text.length === DAY ? instantKey(`${text}T23:59:59.999999Z`) : instantKey(text);
}

/** The instant of a `Date`; undefined where it is none, or out of the years 0001 to 9999. */
export function dateKey(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : instantKey(date.toISOString());
}
