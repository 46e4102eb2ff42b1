import type { Cql2ArithmeticOperator } from '../model/expression.ts';

/**
 * Bounds of the absolute value of a compared number. A larger value counts as unknown, because PostgreSQL cannot cast
 * numbers beyond the range of doubles. A smaller value counts as zero.
 */
export const LARGEST = 1e300;
export const SMALLEST = 1e-300;

/** Bounds of the absolute values of operands. They keep products and quotients within the range of doubles. */
export const LARGEST_OPERAND = 1e150;
export const SMALLEST_OPERAND = 1e-150;

export function readNumber(value: number): number | null {
  const size = Math.abs(value);
  if (!(size <= LARGEST)) return null;
  return size < SMALLEST ? 0 : value;
}

/** The result, or null (unknown) for operands out of bounds and for division by zero. */
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
