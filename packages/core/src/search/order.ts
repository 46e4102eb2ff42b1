import { isStorable } from '../storable-text.ts';
import type { CursorValue } from './cursor.ts';
import type { SortKey } from '../ports/item-search.ts';
import { isTimeProperty } from './times.ts';

const LATEST_FIRST: readonly SortKey[] = [{ property: 'start_datetime', direction: 'desc' }];

/**
 * The sort keys of a search. Of several keys with the same property, only the first is kept. Default: `LATEST_FIRST`.
 */
export function sortKeys(sort: readonly SortKey[] | undefined): readonly SortKey[] {
  const requested = sort === undefined || sort.length === 0 ? LATEST_FIRST : sort;
  return requested.filter((key, index) => requested.findIndex(({ property }) => property === key.property) === index);
}

/** Sort direction of the ids of Items whose sort values are equal. */
export function tieDirection(keys: readonly SortKey[]): SortKey['direction'] {
  return keys.at(-1)?.direction ?? 'desc';
}

/** Name of an order in cursors: its keys as text. */
export function orderName(keys: readonly SortKey[]): string {
  return JSON.stringify(keys.map(({ property, direction }) => [property, direction]));
}

/** Compares sort values: absent values, then numbers, then texts by code points (C collation). */
export function compareValues(a: CursorValue, b: CursorValue): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? byCodePoint(a, b) : 0;
}

function rank(value: CursorValue): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}

/**
 * Number of leading characters by which texts are sorted. It is limited, because the URL of the next page contains
 * these characters.
 */
export const SORTED_LETTERS = 200;

/** Sort value of a property's value, cut to `SORTED_LETTERS`. */
export function sortable(value: unknown): CursorValue {
  const whole = comparable(value);
  if (typeof whole !== 'string' || whole.length <= SORTED_LETTERS) return whole;
  return Array.from(whole.slice(0, 2 * SORTED_LETTERS))
    .slice(0, SORTED_LETTERS)
    .join('');
}

/** Comparable form of a property's value: booleans become text; lists and objects count as absent. */
export function comparable(value: unknown): CursorValue {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof value === 'boolean') return String(value);
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}

function byCodePoint(a: string, b: string): number {
  for (let index = 0; index < a.length && index < b.length; index++) {
    const [one = 0, other = 0] = [a.codePointAt(index), b.codePointAt(index)];
    if (one !== other) return one - other;
  }
  return a.length - b.length;
}

/** True for a valid sort value of a cursor. */
export function isSortValue(value: unknown): value is CursorValue {
  return value === null || Number.isFinite(value) || isText(value);
}

/** Checks of a cursor's values: for each sort key, for the id and for the Collection's id. */
export function cursorKinds(keys: readonly SortKey[]): readonly ((value: unknown) => value is CursorValue)[] {
  return [...keys.map(({ property }) => kindOf(property)), isText, isText];
}

function kindOf(property: string): (value: unknown) => value is CursorValue {
  if (property === 'id' || property === 'collection') return isText;
  if (property === 'version') return isVersion;
  return isTimeProperty(property) ? isTime : isSortValue;
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && isStorable(value);
}

function isVersion(value: unknown): value is number {
  return Number.isInteger(value) && Math.abs(Number(value)) < 2 ** 31;
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?Z$/;
const FIRST_TIME = Date.parse('0001-01-01T00:00:00Z');
const SECONDS = 19;

function isTime(value: unknown): value is string | null {
  if (value === null) return true;
  if (typeof value !== 'string' || !INSTANT.test(value)) return false;
  const time = Date.parse(value);
  // Refuses days such as 30 February and the year 0, which databases refuse too.
  return time >= FIRST_TIME && new Date(time).toISOString().slice(0, SECONDS) === value.slice(0, SECONDS);
}
