/**
 * Pattern of a day of the calendar or a timestamp. Offsets are below 16 hours, and zero in the years 0001 and 9999. The
 * generated SQL uses this pattern too, so that no cast in SQL fails.
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

/** Sort keys before and after all instants, like `-infinity` and `infinity`. */
export const BEFORE_ALL = '';
export const AFTER_ALL = '~';

const DAY = 10;
const SECOND = 19;
const MICROSECONDS = 6;

/**
 * Sort key of an instant: its time in UTC, `2020-01-31T10:00:00.000000`. Undefined for a text that is not an
 * instant. A day gets the key of its first moment.
 */
export function instantKey(text: string, kind: 'timestamp' | 'date' | 'any' = 'any'): string | undefined {
  if (text.length > 40 || !INSTANT.test(text)) return undefined;
  const isDay = text.length === DAY;
  if (kind !== 'any' && isDay !== (kind === 'date')) return undefined;
  if (isDay) return `${text}T00:00:00.000000`;
  const fraction = text[SECOND] === '.' ? text.slice(SECOND + 1).replace(/[Z+-].*$/, '') : '';
  return `${utcSeconds(text)}.${fraction.padEnd(MICROSECONDS, '0').slice(0, MICROSECONDS)}`;
}

/**
 * Converts an instant to UTC, without its fraction of a second: offsets are whole minutes, so the fraction does not
 * change.
 */
function utcSeconds(text: string): string {
  const seconds = text.slice(0, SECOND);
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? [];
  const offset = (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1);
  if (offset === 0) return seconds;
  return new Date(Date.parse(`${seconds}Z`) - offset * MINUTE_MS).toISOString().slice(0, SECOND);
}

/** True for a day and for a timestamp in UTC. The CQL2 standard allows no other instants as literals. */
export function isInUtc(text: string): boolean {
  const [offset] = OFFSET.exec(text) ?? [];
  return text.length === DAY || offset === undefined || offset.endsWith('00:00');
}

/** Sort key of the end of an interval; for a day, the key of its last moment. */
export function endKey(text: string): string | undefined {
  return text.length === DAY ? instantKey(`${text}T23:59:59.999999Z`) : instantKey(text);
}

/** Sort key of a `Date`; undefined outside of the years 0001 to 9999. */
export function dateKey(date: Date): string | undefined {
  return Number.isNaN(date.getTime()) ? undefined : instantKey(date.toISOString());
}
