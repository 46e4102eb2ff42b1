import { checkedTree } from '../json/parse.ts';
import type { Cql2Expression, Cql2In, Cql2IsNull, Cql2Like, Cql2Temporal } from '../model/expression.ts';
import { AFTER_ALL, BEFORE_ALL } from '../model/instant.ts';
import { patternText } from '../semantics/pattern.ts';
import { type End, endsOf, type EndSource, TEMPORAL_TESTS } from '../semantics/temporal.ts';
import { comparisonSql, listSql } from './comparison.ts';
import { instantSql, nullSql, operandAs, withValue } from './operand.ts';
import { scalarSql } from './scalars.ts';
import { spatialSql } from './spatial.ts';
import type { Cql2SqlTarget } from './operand.ts';

/** SQL of a temporal operator: comparisons of the ends of its operands. */
function temporalSql({ op, args: [a, b] }: Cql2Temporal, target: Cql2SqlTarget): string {
  const [first, second] = [endsOf(a), endsOf(b)];
  const ends: Record<End, EndSource> = {
    aStart: first.start,
    aEnd: first.end,
    bStart: second.start,
    bEnd: second.end,
  };
  const tests = TEMPORAL_TESTS[op === 't_disjoint' ? 't_intersects' : op];
  const sql = tests.map(
    ([left, test, right]) => `(${endSql(ends[left], target)}) ${test} (${endSql(ends[right], target)})`,
  );
  return op === 't_disjoint' ? `(NOT (${sql.join(' AND ')}))` : `(${sql.join(' AND ')})`;
}

function endSql(source: EndSource, target: Cql2SqlTarget): string {
  if (source === BEFORE_ALL) return `'-infinity'::timestamptz`;
  if (source === AFTER_ALL) return `'infinity'::timestamptz`;
  if (typeof source === 'string') return instantSql(source, target);
  const property = scalarSql(source, target);
  return operandAs('timestamp', property, target) ?? nullSql('timestamptz', [property.sql]);
}

/** A condition as SQL that is true, false or null. */
export function conditionSql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  if (typeof expression === 'boolean') return expression ? 'TRUE' : 'FALSE';
  switch (expression.op) {
    case 'and':
    case 'or':
      return `(${expression.args.map((part) => conditionSql(part, target)).join(` ${expression.op.toUpperCase()} `)})`;
    case 'not':
      return `(NOT ${conditionSql(expression.args[0], target)})`;
    case 'isNull':
      return isNullSql(expression, target);
    case 'like':
      return likeSql(expression, target);
    case 'between': {
      const [value, low, high] = expression.args;
      const [least, most] = [scalarSql(low, target), scalarSql(high, target)];
      return withValue(
        scalarSql(value, target),
        (one) => `(${comparisonSql('>=', [one, least], target)} AND ${comparisonSql('<=', [one, most], target)})`,
      );
    }
    case 'in':
      return inSql(expression, target);
    case 's_intersects':
    case 's_disjoint':
      return spatialSql(expression, target);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparisonSql(
        expression.op,
        [scalarSql(expression.args[0], target), scalarSql(expression.args[1], target)],
        target,
      );
    default:
      return temporalSql(expression, target);
  }
}

function inSql({ args: [value, list] }: Cql2In, target: Cql2SqlTarget): string {
  const items = list.map((scalar) => ({
    operand: scalarSql(scalar, target),
    isLiteral: typeof scalar !== 'object' || 'timestamp' in scalar || 'date' in scalar,
  }));
  return listSql(scalarSql(value, target), items, target);
}

function isNullSql({ args: [operand] }: Cql2IsNull, target: Cql2SqlTarget): string {
  const { sql, kind } = scalarSql(operand, target);
  // The SQL is also true for a JSON null.
  return kind === 'json' ? `(COALESCE(jsonb_typeof(${sql}), 'null') = 'null')` : `((${sql}) IS NULL)`;
}

function likeSql({ args: [operand, pattern] }: Cql2Like, target: Cql2SqlTarget): string {
  const value = scalarSql(operand, target);
  const text = operandAs('text', value, target);
  return text === undefined
    ? nullSql('boolean', [value.sql])
    : `((${text}) LIKE ${target.param(patternText(pattern))}::text)`;
}

/**
 * SQL of a condition for PostgreSQL with PostGIS. It matches the same items as `cql2Predicate`. Texts and numbers of
 * the filter are passed as parameters.
 */
export function cql2Sql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  return conditionSql(checkedTree(expression), target);
}
