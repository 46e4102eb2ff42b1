import { isList, isObject } from '../json.ts';

/** A test of one value. */
export type Test = (value: unknown) => boolean;

/** Any text, also an empty one. */
export const isString: Test = (value) => typeof value === 'string';
/** A boolean. */
export const isBoolean: Test = (value) => typeof value === 'boolean';
/** A finite number. */
export const isNumber: Test = (value) => typeof value === 'number' && Number.isFinite(value);
/** An integer. */
export const isInteger: Test = (value) => Number.isInteger(value);
/** An integer from 0. */
export const isCount: Test = (value) => Number.isInteger(value) && Number(value) >= 0;
/** A number from 0 to 100. */
export const isPercentage: Test = (value) => isNumber(value) && Number(value) >= 0 && Number(value) <= 100;

/** A list whose elements all pass. */
export function listOf(test: Test): Test {
  return (value) => isList(value) && value.every(test);
}

/** One of the listed values. */
export function oneOf(...values: readonly unknown[]): Test {
  const set = new Set(values);
  return (value) => set.has(value);
}

/** A text that matches the pattern. */
export function matches(pattern: RegExp): Test {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Null, or a value that passes the test. */
export function orNull(test: Test): Test {
  return (value) => value === null || test(value);
}

/** A list of numbers with one of the listed lengths. */
export function numbers(...lengths: readonly number[]): Test {
  return (value) => isList(value) && lengths.includes(value.length) && value.every(isNumber);
}

/** An object whose listed members pass if present; `required` ones must be present. */
export function shape(members: Readonly<Record<string, Test>>, required: readonly string[] = []): Test {
  const entries = Object.entries(members);
  return (value) =>
    isObject(value) &&
    required.every((key) => value[key] !== undefined) &&
    entries.every(([key, test]) => value[key] === undefined || test(value[key]));
}

/** True for a value nested at most `levels` deep, so that recursion over it does not exhaust the stack. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/** Levels that are compared: deeper values count as equal, so that no value exhausts the stack. */
const LEVELS = 64;

/** A text for comparing values: equal values give equal texts, in any order of members. Takes any value. */
export function comparable(value: unknown, levels = LEVELS): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (typeof value !== 'object' || value === null) return String(value);
  if (levels === 0) return '..';
  if (isList(value)) return `[${value.map((each) => comparable(each, levels - 1)).join(',')}]`;
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  const sorted = members.sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${sorted.map(([key, member]) => `${JSON.stringify(key)}:${comparable(member, levels - 1)}`).join(',')}}`;
}

/** A list without two equal elements. */
export function isUnique(values: readonly unknown[]): boolean {
  // A leading quotation mark distinguishes texts from other values; it makes their full JSON unnecessary.
  const keys = values.map((value) => (typeof value === 'string' ? `"${value}` : comparable(value)));
  return new Set(keys).size === values.length;
}
