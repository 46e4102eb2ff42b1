import { isStorable } from '../storable-text.ts';
import type { CursorValue } from './cursor.ts';
import type { SortKey } from '../ports/item-search.ts';
import { isTimeProperty } from './times.ts';

/** Where no sort is asked: the latest first. */
const LATEST_FIRST: readonly SortKey[] = [{ property: 'start_datetime', direction: 'desc' }];

/** The keys of a search: those that were asked, or the latest first; a property that comes again decides nothing more and is left out. */
export function sortKeys(sort: readonly SortKey[] | undefined): readonly SortKey[] {
  const asked = sort === undefined || sort.length === 0 ? LATEST_FIRST : sort;
  return asked.filter((key, index) => asked.findIndex(({ property }) => property === key.property) === index);
}

/** Direction of the ids that decide where all keys are equal. */
export function tieDirection(keys: readonly SortKey[]): SortKey['direction'] {
  return keys.at(-1)?.direction ?? 'desc';
}

/** An order as text, for cursors. */
export function orderName(keys: readonly SortKey[]): string {
  return JSON.stringify(keys.map(({ property, direction }) => [property, direction]));
}

/** Absent values first, then numbers, then texts by their code points, as PostgreSQL orders UTF-8 without a language. */
export function compareValues(a: CursorValue, b: CursorValue): number {
  if (rank(a) !== rank(b)) return rank(a) - rank(b);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return typeof a === 'string' && typeof b === 'string' ? byCodePoint(a, b) : 0;
}

/** 0 for an absent value, 1 for a number, 2 for a text. */
function rank(value: CursorValue): number {
  if (value === null) return 0;
  return typeof value === 'number' ? 1 : 2;
}

/**
 * By so many letters texts are ordered, and those that begin alike by id and Collection: the value that a page ends with stands in the
 * link to the next, which has to fit an address.
 */
export const SORTED_LETTERS = 200;

/** What a value of a property is ordered by, which of a text is how it begins. */
export function sortable(value: unknown): CursorValue {
  const whole = comparable(value);
  if (typeof whole !== 'string' || whole.length <= SORTED_LETTERS) return whole;
  return Array.from(whole.slice(0, 2 * SORTED_LETTERS))
    .slice(0, SORTED_LETTERS)
    .join('');
}

/** A value of a property that can be compared: booleans by their words; lists and objects have no order and count as absent. */
export function comparable(value: unknown): CursorValue {
  // As stores keep texts.
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

/** True for a value that a page can end with. */
export function isSortValue(value: unknown): value is CursorValue {
  return value === null || Number.isFinite(value) || isText(value);
}

/** The checks of a cursor that a client sends: a value of each key, then id and path. */
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
/** Characters of an instant down to its seconds. */
const SECONDS = 19;

function isTime(value: unknown): value is string | null {
  if (value === null) return true;
  if (typeof value !== 'string' || !INSTANT.test(value)) return false;
  const time = Date.parse(value);
  // A day that a month does not have is moved on by the parser, and refused by databases; so is the year 0.
  return time >= FIRST_TIME && new Date(time).toISOString().slice(0, SECONDS) === value.slice(0, SECONDS);
}
