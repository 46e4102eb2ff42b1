import { checkedTree } from '../json/checked-tree.ts';
import type { Cql2Expression } from '../model/expression.ts';
import { conditionSql } from './conditions.ts';
import type { Cql2SqlTarget } from './target.ts';

/** A condition for PostgreSQL with PostGIS that is true for what `cql2Predicate` lets through; values go in as parameters only. */
export function cql2Sql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  return conditionSql(checkedTree(expression), target);
}
