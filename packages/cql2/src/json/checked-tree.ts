import { parseCql2Json } from './parse.ts';
import type { Cql2Expression } from '../model/expression.ts';
import { wasRead } from '../build/mark.ts';

/** The tree, checked as CQL2-JSON is where it was made by hand and not by a parser of this package. */
export function checkedTree(expression: Cql2Expression): Cql2Expression {
  return wasRead(expression) ? expression : parseCql2Json(expression);
}
