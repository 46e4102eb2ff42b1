import { AFTER_ALL, BEFORE_ALL } from '../model/instant.ts';
import type { Cql2Temporal } from '../model/expression.ts';
import { type End, type EndSource, endsOf, TEMPORAL_TESTS } from '../semantics/temporal.ts';
import { instantSql, nullSql, operandAs } from './operand.ts';
import { scalarSql } from './scalars.ts';
import type { Cql2SqlTarget } from './target.ts';

/** A temporal operator as comparisons of the ends of its operands. */
export function temporalSql({ op, args: [a, b] }: Cql2Temporal, target: Cql2SqlTarget): string {
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
