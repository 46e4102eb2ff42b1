import type { Cql2ArithmeticOperator } from '../model/expression.ts';

/**
 * Bounds for the absolute value of compared numbers. A larger number counts as unknown, and a smaller number counts as zero.
 * The bounds are necessary, because PostgreSQL cannot cast numbers far beyond them.
 */
export const LARGEST = 1e300;
export const SMALLEST = 1e-300;

/** Bounds for the absolute value of operands. Products and quotients of such operands stay within the range of doubles. */
export const LARGEST_OPERAND = 1e150;
export const SMALLEST_OPERAND = 1e-150;

export function readNumber(value: number): number | null {
  const size = Math.abs(value);
  if (!(size <= LARGEST)) return null;
  return size < SMALLEST ? 0 : value;
}

/** The result, or null (unknown) if an operand is too large or too small, or the divisor is zero. */
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
