import { brief } from '../brief.ts';
import { at } from '../validate/report.ts';

/** A value that JSON has no form for, and the JSON pointer to it. */
export interface Unwritable {
  readonly pointer: string;
  /** What it is, in a word or a few. */
  readonly told: string;
}

/** How deep values may stand in one another: far more than any document has, and far less than the stack holds. */
const MOST_LEVELS = 1000;
const TOO_DEEP = `what stands in more than ${String(MOST_LEVELS)} others`;

/** What JSON writes for a value: a date, for one, says itself as which text. */
export function writtenAs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? Reflect.apply(value.toJSON, value, []) : value;
}

/**
 * The first value that JSON has no form for: NaN, infinities, undefined in a list, functions, bigints, symbols, what holds itself or
 * stands deeper than anybody reads.
 */
export function findUnwritable(given: unknown): Unwritable | undefined {
  const found = search(given, 0);
  return found?.told === TOO_DEEP ? (findCycle(given, new Set()) ?? found) : found;
}

/** Characters of a pointer that are told: that to what is too deep has thousands. */
const MOST_OF_POINTER = 200;

/** A sentence of where in `base` the value stands, and what to do. */
export function describeUnwritable({ pointer, told }: Unwritable, base = ''): string {
  const whole = base + pointer;
  const where = whole.length > MOST_OF_POINTER ? `${whole.slice(0, MOST_OF_POINTER)}...` : whole;
  return `${where === '' ? '(document)' : where}: JSON has no form for ${told}; give another value or leave it out`;
}

function search(given: unknown, depth: number): Unwritable | undefined {
  const value = writtenAs(given);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { pointer: '', told: brief(value) };
  if (typeof value !== 'object') return { pointer: '', told: brief(value) };
  if (depth > MOST_LEVELS) return { pointer: '', told: TOO_DEEP };
  const isList = Array.isArray(value);
  // A list has undefined in its holes too, which have no keys.
  for (const key of isList ? value.keys() : Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined && !isList) continue;
    const found = search(member, depth + 1);
    // Put together from the inside outwards: a pointer costs something only where there is a fault.
    if (found !== undefined) return { pointer: at('', key) + found.pointer, told: found.told };
  }
  return undefined;
}

/** The first value that holds itself, in a document that is too deep; `open` are those that hold it. */
function findCycle(value: unknown, open: Set<unknown>, pointer = ''): Unwritable | undefined {
  if (typeof value !== 'object' || value === null || open.size > MOST_LEVELS) return undefined;
  if (open.has(value)) return { pointer, told: 'what holds itself' };
  open.add(value);
  for (const [key, member] of Object.entries(value)) {
    const found = findCycle(member, open, at(pointer, key));
    if (found !== undefined) return found;
  }
  open.delete(value);
  return undefined;
}
