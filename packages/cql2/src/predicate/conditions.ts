import { shapesIntersect } from '../geometry/intersects.ts';
import { type Shape, shapesOf, simpleGeometries } from '../geometry/shapes.ts';
import {
  type Cql2Comparison,
  type Cql2ComparisonOperator,
  type Cql2Expression,
  type Cql2GeometryOperand,
  type Cql2IsNull,
  type Cql2Like,
  type Cql2Scalar,
  type Cql2Spatial,
  type Cql2Temporal,
  isArithmetic,
} from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { fold } from '../semantics/fold.ts';
import { calculate } from '../semantics/numbers.ts';
import { likeTest, patternText } from '../semantics/pattern.ts';
import { type End, endsOf, type EndSource, literalKey, TEMPORAL_TESTS } from '../semantics/temporal.ts';
import { compareValues, keyOf, literalText, type LiteralText, type Value, valueOf } from './value.ts';

/** How the judging of a filter looks into a thing. */
interface Look<Item> {
  /** What a property holds. */
  raw(item: Item, name: string): unknown;
  /** The geometry that a property holds, if it does. */
  geometry(item: Item, name: string): Cql2Geometry | null | undefined;
}

/** A scalar that is compared: a text of the filter itself, folded or not, is known as one. */
function comparedOf<Item>(scalar: Cql2Scalar, look: Look<Item>): (item: Item) => Value | LiteralText {
  const text = literalOf(scalar);
  if (text === undefined) return scalarOf(scalar, look);
  const literal = literalText(text);
  return () => literal;
}

/** The text of a literal, its folding done; undefined for anything else. */
function literalOf(scalar: Cql2Scalar): string | undefined {
  if (typeof scalar === 'string') return scalar;
  if (typeof scalar !== 'object' || !('op' in scalar) || isArithmetic(scalar)) return undefined;
  const inner = literalOf(scalar.args[0]);
  return inner === undefined ? undefined : fold(scalar.op, inner);
}

/** A scalar as a function of the thing that is judged. */
function scalarOf<Item>(scalar: Cql2Scalar, look: Look<Item>): (item: Item) => Value {
  if (typeof scalar !== 'object') return () => scalar;
  if ('property' in scalar) return (item) => valueOf(look.raw(item, scalar.property));
  if ('timestamp' in scalar || 'date' in scalar) {
    const literal = { key: literalKey(scalar) };
    return () => literal;
  }
  if (isArithmetic(scalar)) {
    const [left, right] = [scalarOf(scalar.args[0], look), scalarOf(scalar.args[1], look)];
    return (item) => {
      const [a, b] = [left(item), right(item)];
      return typeof a === 'number' && typeof b === 'number' ? calculate(scalar.op, a, b) : null;
    };
  }
  const text = scalarOf(scalar.args[0], look);
  return (item) => {
    const value = text(item);
    return typeof value === 'string' ? fold(scalar.op, value) : null;
  };
}

/** True, false, or null for unknown. */
type Truth = boolean | null;

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

/** False as soon as one is false, else unknown as soon as one is unknown. */
function all(truths: Iterable<Truth>): Truth {
  let result: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (truth === null) result = null;
  }
  return result;
}

/** True as soon as one is true, else unknown as soon as one is unknown. */
function any(truths: Iterable<Truth>): Truth {
  let result: Truth = false;
  for (const truth of truths) {
    if (truth === true) return true;
    if (truth === null) result = null;
  }
  return result;
}

export type Judge<Item> = (item: Item) => Truth;

/** A condition as a function that tells true, false or unknown. */
export function judgeOf<Item>(expression: Cql2Expression, look: Look<Item>): Judge<Item> {
  if (typeof expression === 'boolean') return () => expression;
  switch (expression.op) {
    case 'and':
    case 'or': {
      const judges = expression.args.map((part) => judgeOf(part, look));
      const join = expression.op === 'and' ? all : any;
      return (item) => join(each(judges, item));
    }
    case 'not': {
      const judge = judgeOf(expression.args[0], look);
      return (item) => not(judge(item));
    }
    case 'isNull':
      return isNullJudge(expression, look);
    case 'like':
      return likeJudge(expression, look);
    case 'between': {
      const [value, low, high] = expression.args;
      return judgeOf(
        {
          op: 'and',
          args: [
            { op: '>=', args: [value, low] },
            { op: '<=', args: [value, high] },
          ],
        },
        look,
      );
    }
    case 'in': {
      const [value, list] = [
        comparedOf(expression.args[0], look),
        expression.args[1].map((other) => comparedOf(other, look)),
      ];
      return (item) => any(equals(value(item), each(list, item)));
    }
    case 's_intersects':
    case 's_disjoint':
      return spatialJudge(expression, look);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparisonJudge(expression, look);
    default:
      return temporalJudge(expression, look);
  }
}

function* each<Item, Result>(functions: readonly ((item: Item) => Result)[], item: Item): Iterable<Result> {
  for (const one of functions) yield one(item);
}

/** `in` is equal to any. */
function* equals(value: Value | LiteralText, list: Iterable<Value | LiteralText>): Iterable<Truth> {
  for (const other of list) yield holds('=', compareValues(value, other));
}

function holds(op: Cql2ComparisonOperator, order: number | undefined): Truth {
  if (order === undefined) return null;
  if (op === '=') return order === 0;
  if (op === '<>') return order !== 0;
  if (op === '<') return order < 0;
  if (op === '>') return order > 0;
  return op === '<=' ? order <= 0 : order >= 0;
}

function comparisonJudge<Item>({ op, args }: Cql2Comparison, look: Look<Item>): Judge<Item> {
  const [left, right] = [comparedOf(args[0], look), comparedOf(args[1], look)];
  return (item) => holds(op, compareValues(left(item), right(item)));
}

function isNullJudge<Item>({ args: [operand] }: Cql2IsNull, look: Look<Item>): Judge<Item> {
  if (typeof operand === 'object' && 'property' in operand) {
    return (item) => {
      const raw =
        operand.property === 'geometry' ? look.geometry(item, operand.property) : look.raw(item, operand.property);
      return raw === undefined || raw === null;
    };
  }
  const value = scalarOf(operand, look);
  return (item) => value(item) === null;
}

function likeJudge<Item>({ args: [operand, pattern] }: Cql2Like, look: Look<Item>): Judge<Item> {
  const text = scalarOf(operand, look);
  const matches = likeTest(patternText(pattern));
  return (item) => {
    const value = text(item);
    return typeof value === 'string' ? matches(value) : null;
  };
}

function temporalJudge<Item>({ op, args: [a, b] }: Cql2Temporal, look: Look<Item>): Judge<Item> {
  if (op === 't_disjoint') {
    const intersects = temporalJudge({ op: 't_intersects', args: [a, b] }, look);
    return (item) => not(intersects(item));
  }
  const [first, second] = [endsOf(a), endsOf(b)];
  const ends: Record<End, (item: Item) => Value> = {
    aStart: endOf(first.start, look),
    aEnd: endOf(first.end, look),
    bStart: endOf(second.start, look),
    bEnd: endOf(second.end, look),
  };
  const judges = TEMPORAL_TESTS[op].map(
    ([left, test, right]): Judge<Item> =>
      (item) =>
        holds(test, compareValues(ends[left](item), ends[right](item))),
  );
  return (item) => all(each(judges, item));
}

/** An end as an instant; null where a property has none. */
function endOf<Item>(source: EndSource, look: Look<Item>): (item: Item) => Value {
  if (typeof source === 'string') return () => ({ key: source });
  return (item) => {
    const key = keyOf(valueOf(look.raw(item, source.property)));
    return key === undefined ? null : { key };
  };
}

function spatialJudge<Item>({ op, args: [a, b] }: Cql2Spatial, look: Look<Item>): Judge<Item> {
  const [left, right] = [shapesFor(a, look), shapesFor(b, look)];
  return (item) => {
    const [some, others] = [left(item), right(item)];
    if (some === null || others === null) return null;
    return shapesIntersect(some, others) === (op === 's_intersects');
  };
}

function shapesFor<Item>(operand: Cql2GeometryOperand, look: Look<Item>): (item: Item) => readonly Shape[] | null {
  if ('property' in operand) {
    return (item) => {
      const geometry = look.geometry(item, operand.property);
      return geometry === undefined || geometry === null ? null : shapesOf(geometry);
    };
  }
  const shapes = simpleGeometries(operand).flatMap(shapesOf);
  return () => shapes;
}
