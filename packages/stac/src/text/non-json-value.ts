import { brief } from '../brief.ts';
import { at } from '../validate/report.ts';

/** A value that JSON cannot express, and the JSON pointer to it. */
export interface NonJsonValue {
  readonly pointer: string;
  /** Short description of the value. */
  readonly described: string;
}

/**
 * Maximum depth of nesting, levels. Real documents have far fewer levels, and the stack of a program has room for far more.
 */
const MOST_LEVELS = 1000;
const TOO_DEEP = `more than ${String(MOST_LEVELS)} levels of nesting`;

/**
 * The value that JSON writes for a value: the result of the value's method `toJSON` if the value has such a method, otherwise the value
 * itself. For example, a date becomes a text.
 */
export function writtenAs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? Reflect.apply(value.toJSON, value, []) : value;
}

/**
 * The first value that JSON cannot express: NaN, an infinity, undefined in a list, a function, a bigint, a symbol, a
 * cycle, or a value nested too deep.
 */
export function findNonJsonValue(input: unknown): NonJsonValue | undefined {
  const found = search(input, 0);
  return found?.described === TOO_DEEP ? (findCycle(input, new Set()) ?? found) : found;
}

/**
 * Number of characters of a pointer that are shown. Longer pointers are cut, because the pointer to a value that is
 * nested too deep has thousands of characters.
 */
const MOST_OF_POINTER = 200;

/** A message with the value's place, the value and the remedy. The place is `base` followed by the pointer. */
export function describeNonJsonValue({ pointer, described }: NonJsonValue, base = ''): string {
  const whole = base + pointer;
  const where = whole.length > MOST_OF_POINTER ? `${whole.slice(0, MOST_OF_POINTER)}...` : whole;
  return `${where === '' ? '(document)' : where}: JSON cannot hold ${described}; give another value or leave it out`;
}

function search(input: unknown, depth: number): NonJsonValue | undefined {
  const value = writtenAs(input);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { pointer: '', described: brief(value) };
  if (typeof value !== 'object') return { pointer: '', described: brief(value) };
  if (depth > MOST_LEVELS) return { pointer: '', described: TOO_DEEP };
  const isList = Array.isArray(value);
  // `keys()` is used for a list, because it also visits holes, which JSON cannot express.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined && !isList) continue;
    const found = search(member, depth + 1);
    // The pointer is built only after a fault was found, from the value up to the root, so that valid documents take no
    // extra time.
    if (found !== undefined) return { pointer: at('', key) + found.pointer, described: found.described };
  }
  return undefined;
}

/**
 * The first value that contains itself, in a document that is nested too deep. `open` contains the ancestors of
 * `value`.
 */
function findCycle(value: unknown, open: Set<unknown>, pointer = ''): NonJsonValue | undefined {
  if (typeof value !== 'object' || value === null || open.size > MOST_LEVELS) return undefined;
  if (open.has(value)) return { pointer, described: 'a cycle of references' };
  open.add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = findCycle(member, open, at(pointer, key));
    if (found !== undefined) return found;
  }
  open.delete(value);
  return undefined;
}
