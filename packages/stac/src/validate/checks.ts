import { isList, isObject } from '../json.ts';

/** A test of one value. */
export type Test = (value: unknown) => boolean;

/** True for any text. */
export const isString: Test = (value) => typeof value === 'string';
/** True for a boolean. */
export const isBoolean: Test = (value) => typeof value === 'boolean';
/** True for a finite number. */
export const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value);
/** True for an integer. */
export const isInteger: Test = (value) => Number.isInteger(value);
/** True for an integer from 0. */
export const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
/** True for a number from 0 to 100. */
export const isPercentage: Test = (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 100;

/** Tests that all elements of a list pass `test`. */
export function listOf(test: Test): Test {
  return (value) => isList(value) && value.every(test);
}

/** Tests for one of the listed values. */
export function oneOf(...values: readonly unknown[]): Test {
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Tests for a text that matches the pattern. */
export function matches(pattern: RegExp): Test {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Tests for null or a value that passes `test`. */
export function orNull(test: Test): Test {
  return (value) => value === null || test(value);
}

/** Tests for a list of numbers with one of the listed lengths. */
export function numbers(...lengths: readonly number[]): Test {
  return (value) => isList(value) && lengths.includes(value.length) && value.every(isNumber);
}

/** Tests an object: present members pass their tests, and required members are present. */
export function shape(members: Readonly<Record<string, Test>>, required: readonly string[] = []): Test {
  const entries = Object.entries(members);
  return (value) =>
    isObject(value) &&
    required.every((key) => value[key] !== undefined) &&
    entries.every(([key, test]) => value[key] === undefined || test(value[key]));
}

/** True if nesting is at most `levels` deep, so that recursion does not exhaust the stack. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/** Maximum compared depth. Deeper values count as equal, so that no value exhausts the stack. */
const LEVELS = 64;

/** Text for comparing values. Equal values have equal texts; the order of members does not matter. */
export function comparable(value: unknown, levels = LEVELS): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (levels === 0) return '..';
  if (isList(value)) return `[${value.map((each) => comparable(each, levels - 1)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${comparable(member, levels - 1)}`).join(',')}}`;
}

/** True for a list without two equal elements. */
export function isUnique(values: readonly unknown[]): boolean {
  // A quotation mark distinguishes a text from other values, and is faster than JSON.
  const keys = values.map((value) => (typeof value === 'string' ? `"${value}` : comparable(value)));
  return new Set(keys).size === values.length;
}
