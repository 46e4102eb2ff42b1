import { at } from '../validate/report.ts';

/** A value that JSON has no form for, and the JSON pointer to it. */
export interface Unwritable {
  readonly pointer: string;
  readonly value: unknown;
}

/** What JSON writes for a value: a date, for one, says itself as which text. */
export function writtenAs(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('toJSON' in value)) return value;
  return typeof value.toJSON === 'function' ? Reflect.apply(value.toJSON, value, []) : value;
}

/** The first value that JSON has no form for: NaN, infinities, undefined in a list, functions, bigints, symbols. */
export function findUnwritable(given: unknown): Unwritable | undefined {
  const value = writtenAs(given);
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return undefined;
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : { pointer: '', value };
  if (typeof value !== 'object') return { pointer: '', value };
  const isList = Array.isArray(value);
  for (const key of Object.keys(value)) {
    const member: unknown = Reflect.get(value, key);
    if (member === undefined && !isList) continue;
    const found = findUnwritable(member);
    // Put together from the inside outwards: a pointer costs something only where there is a fault.
    if (found !== undefined) return { pointer: at('', key) + found.pointer, value: found.value };
  }
  return undefined;
}
