import type { Cql2ComparisonOperator, Cql2Expression, Cql2Scalar } from '@headwater/cql2';
import { childOf, type XmlElement } from '../protocol/read-xml.ts';

const COMPARISONS: ReadonlyMap<string, Cql2ComparisonOperator> = new Map([
  ['PropertyIsEqualTo', '='],
  ['PropertyIsNotEqualTo', '<>'],
  ['PropertyIsLessThan', '<'],
  ['PropertyIsGreaterThan', '>'],
  ['PropertyIsLessThanOrEqualTo', '<='],
  ['PropertyIsGreaterThanOrEqualTo', '>='],
]);

/** Converts an `ogc:Filter` with comparisons to a tree. Throws an Error that names an operator that is not offered. */
export function readRuleFilter(filter: XmlElement): Cql2Expression {
  const [condition, ...others] = filter.children;
  if (condition === undefined || others.length > 0) throw new Error('Filter: it must contain one condition');
  return conditionOf(condition);
}

function conditionOf(element: XmlElement): Cql2Expression {
  const { name, children } = element;
  if (name === 'And' || name === 'Or') {
    const args = children.map(conditionOf);
    const [only] = args;
    if (only === undefined) throw new Error(`${name}: it contains no condition`);
    return args.length === 1 ? only : { op: name === 'And' ? 'and' : 'or', args };
  }
  if (name === 'Not') return { op: 'not', args: [readRuleFilter(element)] };
  const [first, second] = children;
  if (first === undefined) throw new Error(`${name}: it has no operand`);
  if (name === 'PropertyIsNull') return { op: 'isNull', args: [operandOf(first)] };
  if (name === 'PropertyIsBetween') {
    const ends = [childOf(element, 'LowerBoundary'), childOf(element, 'UpperBoundary')].map((end) => end?.children[0]);
    const [lower, upper] = ends;
    if (lower === undefined || upper === undefined) throw new Error(`${name}: it needs two boundaries`);
    return { op: 'between', args: [operandOf(first), operandOf(lower), operandOf(upper)] };
  }
  const op = COMPARISONS.get(name);
  if (op === undefined || second === undefined)
    throw new Error(`${name}: this condition is not supported; use comparisons, And, Or and Not`);
  return { op, args: [operandOf(first), operandOf(second)] };
}

/** A literal is a number only if its text is that number's own text: `0012` and `1e3` stay texts. */
function operandOf({ name, text }: XmlElement): Cql2Scalar {
  if (name === 'PropertyName') return { property: text };
  if (name !== 'Literal') throw new Error(`${name}: this operand is not supported; use PropertyName and Literal`);
  const number = Number(text);
  return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) && Number.isFinite(number) ? number : text;
}
