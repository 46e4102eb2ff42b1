import { AFTER_ALL, BEFORE_ALL, endKey, instantKey } from '../model/instant.ts';
import type {
  Cql2ComparisonOperator,
  Cql2Instant,
  Cql2IntervalEnd,
  Cql2Property,
  Cql2TemporalOperand,
  Cql2TemporalOperator,
} from '../model/expression.ts';

/** Comparison of an end of the first operand (`a`) with an end of the second (`b`). */
export type TemporalTest = readonly [End, Extract<Cql2ComparisonOperator, '<' | '>' | '=' | '<=' | '>='>, End];
export type End = 'aStart' | 'aEnd' | 'bStart' | 'bEnd';

/** Tests that must all be true for a temporal operator (OGC 21-065). `t_disjoint` negates `t_intersects`. */
export const TEMPORAL_TESTS: Readonly<Record<Exclude<Cql2TemporalOperator, 't_disjoint'>, readonly TemporalTest[]>> = {
  t_after: [['aStart', '>', 'bEnd']],
  t_before: [['aEnd', '<', 'bStart']],
  t_contains: [
    ['aStart', '<', 'bStart'],
    ['aEnd', '>', 'bEnd'],
  ],
  t_during: [
    ['aStart', '>', 'bStart'],
    ['aEnd', '<', 'bEnd'],
  ],
  t_equals: [
    ['aStart', '=', 'bStart'],
    ['aEnd', '=', 'bEnd'],
  ],
  t_finishedBy: [
    ['aStart', '<', 'bStart'],
    ['aEnd', '=', 'bEnd'],
  ],
  t_finishes: [
    ['aStart', '>', 'bStart'],
    ['aEnd', '=', 'bEnd'],
  ],
  t_intersects: [
    ['aStart', '<=', 'bEnd'],
    ['aEnd', '>=', 'bStart'],
  ],
  t_meets: [['aEnd', '=', 'bStart']],
  t_metBy: [['aStart', '=', 'bEnd']],
  t_overlappedBy: [
    ['aStart', '>', 'bStart'],
    ['aStart', '<', 'bEnd'],
    ['aEnd', '>', 'bEnd'],
  ],
  t_overlaps: [
    ['aStart', '<', 'bStart'],
    ['aEnd', '>', 'bStart'],
    ['aEnd', '<', 'bEnd'],
  ],
  t_startedBy: [
    ['aStart', '=', 'bStart'],
    ['aEnd', '>', 'bEnd'],
  ],
  t_starts: [
    ['aStart', '=', 'bStart'],
    ['aEnd', '<', 'bEnd'],
  ],
};

/** An end of an operand: a sort key (see `instantKey`) or a property. */
export type EndSource = string | Cql2Property;

/** Start and end of an operand. They are equal for an instant and for a property. */
export function endsOf(operand: Cql2TemporalOperand): { readonly start: EndSource; readonly end: EndSource } {
  if ('interval' in operand) {
    const [start, end] = operand.interval;
    return { start: sourceOf(start, 'start'), end: sourceOf(end, 'end') };
  }
  const both = 'property' in operand ? operand : literalKey(operand);
  return { start: both, end: both };
}

/** Sort key of a literal instant. */
export function literalKey(instant: Cql2Instant): string {
  const text = 'date' in instant ? instant.date : instant.timestamp;
  return instantKey(text) ?? unreadable(text);
}

function sourceOf(end: Cql2IntervalEnd, which: 'start' | 'end'): EndSource {
  if (typeof end !== 'string') return end;
  if (end === '..') return which === 'start' ? BEFORE_ALL : AFTER_ALL;
  return (which === 'start' ? instantKey(end) : endKey(end)) ?? unreadable(end);
}

/** Never called, because each tree is checked before it is used. */
function unreadable(text: string): never {
  throw new Error(`${JSON.stringify(text)} is not an instant`);
}
