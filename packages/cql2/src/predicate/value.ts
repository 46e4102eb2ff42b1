import { dateKey, instantKey } from '../model/instant.ts';
import { readNumber } from '../semantics/numbers.ts';

/** An instant by its key, so that it is not taken for a text. */
export interface InstantValue {
  readonly key: string;
}

/** What is compared; null is unknown. */
export type Value = string | number | boolean | InstantValue | null;

/** A text that a filter says. Where it tells a moment, texts that tell one are compared with it as moments. */
export interface LiteralText {
  readonly literal: string;
  readonly key: string | undefined;
}

/** A literal text; days are no moments here, since as letters they stand before all of their day. */
export function literalText(literal: string): LiteralText {
  return { literal, key: instantKey(literal, 'timestamp') };
}

/** A property's value as something that can be compared; lists, objects and numbers out of range cannot, as null cannot. */
export function valueOf(raw: unknown): Value {
  if (typeof raw === 'string' || typeof raw === 'boolean') return raw;
  if (typeof raw === 'number') return readNumber(raw);
  const key = raw instanceof Date ? dateKey(raw) : undefined;
  return key === undefined ? null : { key };
}

/** -1, 0 or 1; undefined (unknown) for null and for values of different types. A text beside an instant is read as one. */
export function compareValues(one: Value | LiteralText, other: Value | LiteralText): number | undefined {
  const [left, right] = [beside(one, other), beside(other, one)];
  if (left === null || right === null) return undefined;
  if (typeof left === 'string' && typeof right === 'string') return compareTexts(left, right);
  if (typeof left === 'number' && typeof right === 'number') return left - right;
  if (typeof left === 'boolean' && typeof right === 'boolean') return Number(left) - Number(right);
  if (typeof left !== 'object' && typeof right !== 'object') return undefined;
  const [a, b] = [keyOf(left), keyOf(right)];
  return a === undefined || b === undefined ? undefined : compareTexts(a, b);
}

/** What a literal is where it stands beside this value; any other value is what it is. */
function beside(value: Value | LiteralText, other: Value | LiteralText): Value {
  if (typeof value !== 'object' || value === null || !('literal' in value)) return value;
  const { literal, key } = value;
  return key !== undefined && typeof other === 'string' && instantKey(other) !== undefined ? { key } : literal;
}

/** The key of an instant, or of a text that is one. */
export function keyOf(value: Value): string | undefined {
  if (typeof value === 'string') return instantKey(value);
  return typeof value === 'object' && value !== null ? value.key : undefined;
}

/** By code points, as PostgreSQL's collation "C" compares UTF-8; JavaScript's own order is that of UTF-16. */
function compareTexts(left: string, right: string): number {
  const shorter = Math.min(left.length, right.length);
  let at = 0;
  while (at < shorter && left[at] === right[at]) at++;
  if (at === shorter) return left.length - right.length;
  return rank(left.charCodeAt(at)) - rank(right.charCodeAt(at));
}

/** Halves of surrogate pairs stand for what comes after every other character of 16 bits. */
function rank(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit;
}
