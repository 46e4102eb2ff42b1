import { brief } from '../brief.ts';
import { at } from '../validate/report.ts';

/** A value that JSON cannot express, and the JSON pointer to the value. */
export interface NonJsonValue {
  readonly pointer: string;
  /** Short description of the value. */
  readonly described: string;
}

const MOST_LEVELS = 1000;
const TOO_DEEP = `more than ${String(MOST_LEVELS)} levels of nesting`;

/** Result of `toJSON` if the value has this method, otherwise the value. */
export function writtenAs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? Reflect.apply(value.toJSON, value, []) : value;
}

/** Finds the first value that JSON cannot express, such as NaN, a function, a cycle or very deep nesting. */
export function findNonJsonValue(input: unknown): NonJsonValue | undefined {
  const found = search(input, 0);
  return found?.described === TOO_DEEP ? (findCycle(input, new Set()) ?? found) : found;
}

const MOST_OF_POINTER = 200;

/** Message with the pointer (after `base`), the value and the remedy. */
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
  // `keys()` also returns the holes of a list, so holes are found too.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined && !isList) continue;
    const found = search(member, depth + 1);
    // The pointer is built only after a fault, so that valid documents take no extra time.
    if (found !== undefined) return { pointer: at('', key) + found.pointer, described: found.described };
  }
  return undefined;
}

/** First value that contains itself; `open` contains the ancestors of `value`. */
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
