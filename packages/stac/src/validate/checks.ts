import { isList, isObject } from '../json.ts';

/** A test of one value. */
export type Test = (value: unknown) => boolean;

/** True for any text, also an empty one. */
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

/** Test for a list whose elements all pass `test`. */
export function listOf(test: Test): Test {
  return (value) => isList(value) && value.every(test);
}

/** Test for one of the listed values. */
export function oneOf(...values: readonly unknown[]): Test {
  const set = new Set(values);
  return (value) => set.has(value);
}

/** Test for a text that matches the pattern. */
export function matches(pattern: RegExp): Test {
  return (value) => typeof value === 'string' && pattern.test(value);
}

/** Test for null, or for a value that passes `test`. */
export function orNull(test: Test): Test {
  return (value) => value === null || test(value);
}

/** Test for a list of numbers that has one of the listed lengths. */
export function numbers(...lengths: readonly number[]): Test {
  return (value) => isList(value) && lengths.includes(value.length) && value.every(isNumber);
}

/** Test for an object in which each listed member passes its test or is absent. The members in `required` must be present. */
export function shape(members: Readonly<Record<string, Test>>, required: readonly string[] = []): Test {
  const entries = Object.entries(members);
  return (value) =>
    isObject(value) &&
    required.every((key) => value[key] !== undefined) &&
    entries.every(([key, test]) => value[key] === undefined || test(value[key]));
}

/** True for a value nested at most `levels` deep, so that a recursive function does not exhaust the stack. */
export function isShallow(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  return levels > 0 && Object.values(value).every((member) => isShallow(member, levels - 1));
}

/**
 * Number of levels that are compared. Values below these levels count as equal, so that no value exhausts the stack.
 */
const LEVELS = 64;

/**
 * A text for comparing values. Equal values have equal texts, even if their members are in another order. Accepts any
 * value.
 */
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
  // A quotation mark in front of a text is enough to distinguish it from other values. Writing the text as JSON would
  // take longer.
  const keys = values.map((value) => (typeof value === 'string' ? `"${value}` : comparable(value)));
  return new Set(keys).size === values.length;
}
