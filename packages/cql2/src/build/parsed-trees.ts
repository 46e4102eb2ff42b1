import type { Cql2Expression } from '../model/expression.ts';

/** Trees that a parser of this package returned: complete and within the limits. */
const PARSED = new WeakSet<object>();

export function markParsed(expression: Cql2Expression): Cql2Expression {
  if (typeof expression === 'object') PARSED.add(expression);
  return expression;
}

export function wasParsed(expression: Cql2Expression): boolean {
  return typeof expression === 'boolean' || PARSED.has(expression);
}
