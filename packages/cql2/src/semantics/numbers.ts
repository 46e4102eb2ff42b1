import type { Cql2ArithmeticOperator } from '../model/expression.ts';

/**
 * Numbers of this size are read from JSON and compared; larger ones are unknown, smaller ones zero. PostgreSQL's casts would fail beyond,
 * at bounds of their own.
 */
export const LARGEST = 1e300;
export const SMALLEST = 1e-300;

/** What is calculated with has at most this size, or at least its inverse: no product and no quotient leaves the range of doubles. */
export const LARGEST_OPERAND = 1e150;
export const SMALLEST_OPERAND = 1e-150;

export function readNumber(value: number): number | null {
  const size = Math.abs(value);
  if (!(size <= LARGEST)) return null;
  return size < SMALLEST ? 0 : value;
}

/** The result, or null (unknown) where an operand is too large or too small, or the divisor zero. */
export function calculate(op: Cql2ArithmeticOperator, left: number, right: number): number | null {
  if (!isOperand(left) || !isOperand(right)) return null;
  if (op === '+') return left + right;
  if (op === '-') return left - right;
  if (op === '*') return left * right;
  return right === 0 ? null : left / right;
}

function isOperand(value: number): boolean {
  const size = Math.abs(value);
  return size === 0 || (size >= SMALLEST_OPERAND && size <= LARGEST_OPERAND);
}
