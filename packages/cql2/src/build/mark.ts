import type { Cql2Expression } from '../model/expression.ts';

/** Trees that a parser of this package made: known to be whole and within limits. */
const READ = new WeakSet<object>();

export function markRead(expression: Cql2Expression): Cql2Expression {
  if (typeof expression === 'object') READ.add(expression);
  return expression;
}

export function wasRead(expression: Cql2Expression): boolean {
  return typeof expression === 'boolean' || READ.has(expression);
}
