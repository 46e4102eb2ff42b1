import { dateKey, instantKey } from '../model/instant.ts';
import { readNumber } from '../semantics/numbers.ts';

/** An instant with its sort key. */
export interface InstantValue {
  readonly key: string;
}

/** A compared value; null is unknown. */
export type Value = string | number | boolean | InstantValue | null;

/** A literal text of a filter. Literal timestamps are compared as instants with timestamps of items. */
export interface LiteralText {
  readonly literal: string;
  readonly key: string | undefined;
}

/** Marks a literal text. A day needs no key: as text, a day already sorts before all timestamps of that day. */
export function literalText(literal: string): LiteralText {
  return { literal, key: instantKey(literal, 'timestamp') };
}

/** A property's value for comparison; null (unknown) for lists, objects and numbers out of range. */
export function valueOf(raw: unknown): Value {
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return readNumber(raw);
  const key = raw instanceof Date ? dateKey(raw) : undefined;
  return key === undefined ? null : { key };
}

/**
 * Negative, 0 or positive; undefined (unknown) for null and for different types. Text that is compared with an instant
 * is read as an instant.
 */
export function compareValues(one: Value | LiteralText, other: Value | LiteralText): number | undefined {
  const [left, right] = [asComparedWith(one, other), asComparedWith(other, one)];
  if (left === null || right === null) return undefined;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left !== 'object' && typeof right !== 'object') return undefined;
  const [a, b] = [keyOf(left), keyOf(right)];
  return a === undefined || b === undefined ? undefined : compareTexts(a, b);
}

function asComparedWith(value: Value | LiteralText, other: Value | LiteralText): Value {
  if (typeof value !== 'object' || value === null || !('literal' in value)) return value;
  const { literal, key } = value;
  return key !== undefined && typeof other === 'string' && instantKey(other) !== undefined ? { key } : literal;
}

/** Sort key of an instant, or of text that is an instant; otherwise undefined. */
export function keyOf(value: Value): string | undefined {
  if (typeof value === 'string') return instantKey(value);
  return typeof value === 'object' && value !== null ? value.key : undefined;
}

/** Compares by code points, like collation "C"; `<` would compare UTF-16 units. */
function compareTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at++;
  if (at === shorter) return left.length - right.length;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** Place of a UTF-16 unit in the order of code points, where surrogates come after all other units. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
