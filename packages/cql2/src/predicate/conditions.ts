import { geometriesIntersect, shapesIntersect } from '../geometry/intersects.ts';
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

interface ItemReader<Item> {
  raw(item: Item, name: string): unknown;
  geometry(item: Item, name: string): Cql2Geometry | null | undefined;
}

function comparedOf<Item>(scalar: Cql2Scalar, reader: ItemReader<Item>): (item: Item) => Value | LiteralText {
  const text = literalOf(scalar);
  if (text === undefined) return scalarOf(scalar, reader);
  const literal = literalText(text);
  return () => literal;
}

function literalOf(scalar: Cql2Scalar): string | undefined {
  if (typeof scalar === 'string') return scalar;
  if (typeof scalar !== 'object' || !('op' in scalar) || isArithmetic(scalar)) return undefined;
  const inner = literalOf(scalar.args[0]);
  return inner === undefined ? undefined : fold(scalar.op, inner);
}

function scalarOf<Item>(scalar: Cql2Scalar, reader: ItemReader<Item>): (item: Item) => Value {
  if (typeof scalar !== 'object') return () => scalar;
  if ('property' in scalar) return (item) => valueOf(reader.raw(item, scalar.property));
  if ('timestamp' in scalar || 'date' in scalar) {
    const literal = { key: literalKey(scalar) };
    return () => literal;
  }
  if (isArithmetic(scalar)) {
    const [left, right] = [scalarOf(scalar.args[0], reader), scalarOf(scalar.args[1], reader)];
    return (item) => {
      const [a, b] = [left(item), right(item)];
      return typeof a === 'number' && typeof b === 'number' ? calculate(scalar.op, a, b) : null;
    };
  }
  const text = scalarOf(scalar.args[0], reader);
  return (item) => {
    const value = text(item);
    return typeof value === 'string' ? fold(scalar.op, value) : null;
  };
}

type Truth = boolean | null;

function not(truth: Truth): Truth {
  return truth === null ? null : !truth;
}

function all(truths: Iterable<Truth>): Truth {
  let result: Truth = true;
  for (const truth of truths) {
    if (truth === false) return false;
    if (truth === null) result = null;
  }
  return result;
}

function any(truths: Iterable<Truth>): Truth {
  let result: Truth = false;
  for (const truth of truths) {
    if (truth === true) return true;
    if (truth === null) result = null;
  }
  return result;
}

export type Evaluator<Item> = (item: Item) => Truth;

/** Returns a function that evaluates a condition for an item: true, false or null (unknown). */
export function evaluatorOf<Item>(expression: Cql2Expression, reader: ItemReader<Item>): Evaluator<Item> {
  if (typeof expression === 'boolean') return () => expression;
  switch (expression.op) {
    case 'and':
    case 'or': {
      const evaluators = expression.args.map((part) => evaluatorOf(part, reader));
      const join = expression.op === 'and' ? all : any;
      return (item) => join(each(evaluators, item));
    }
    case 'not': {
      const evaluate = evaluatorOf(expression.args[0], reader);
      return (item) => not(evaluate(item));
    }
    case 'isNull':
      return isNullEvaluator(expression, reader);
    case 'like':
      return likeEvaluator(expression, reader);
    case 'between': {
      const [value, low, high] = expression.args;
      return evaluatorOf(
        {
          op: 'and',
          args: [
            { op: '>=', args: [value, low] },
            { op: '<=', args: [value, high] },
          ],
        },
        reader,
      );
    }
    case 'in': {
      const [value, list] = [
        comparedOf(expression.args[0], reader),
        expression.args[1].map((other) => comparedOf(other, reader)),
      ];
      return (item) => any(equals(value(item), each(list, item)));
    }
    case 's_intersects':
    case 's_disjoint':
      return spatialEvaluator(expression, reader);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparisonEvaluator(expression, reader);
    default:
      return temporalEvaluator(expression, reader);
  }
}

function* each<Item, Result>(functions: readonly ((item: Item) => Result)[], item: Item): Iterable<Result> {
  for (const one of functions) yield one(item);
}

function* equals(value: Value | LiteralText, list: Iterable<Value | LiteralText>): Iterable<Truth> {
  for (const other of list) yield truthOf('=', compareValues(value, other));
}

function truthOf(op: Cql2ComparisonOperator, order: number | undefined): Truth {
  if (order === undefined) return null;
  if (op === '=') return order === 0;
  if (op === '<>') return order !== 0;
  if (op === '<') return order < 0;
  if (op === '>') return order > 0;
  return op === '<=' ? order <= 0 : order >= 0;
}

function comparisonEvaluator<Item>({ op, args }: Cql2Comparison, reader: ItemReader<Item>): Evaluator<Item> {
  const [left, right] = [comparedOf(args[0], reader), comparedOf(args[1], reader)];
  return (item) => truthOf(op, compareValues(left(item), right(item)));
}

function isNullEvaluator<Item>({ args: [operand] }: Cql2IsNull, reader: ItemReader<Item>): Evaluator<Item> {
  if (typeof operand === 'object' && 'property' in operand) {
    return (item) => {
      const raw =
        operand.property === 'geometry' ? reader.geometry(item, operand.property) : reader.raw(item, operand.property);
      return raw === undefined || raw === null;
    };
  }
  const value = scalarOf(operand, reader);
  return (item) => value(item) === null;
}

function likeEvaluator<Item>({ args: [operand, pattern] }: Cql2Like, reader: ItemReader<Item>): Evaluator<Item> {
  const text = scalarOf(operand, reader);
  const matches = likeTest(patternText(pattern));
  return (item) => {
    const value = text(item);
    return typeof value === 'string' ? matches(value) : null;
  };
}

function temporalEvaluator<Item>({ op, args: [a, b] }: Cql2Temporal, reader: ItemReader<Item>): Evaluator<Item> {
  if (op === 't_disjoint') {
    const intersects = temporalEvaluator({ op: 't_intersects', args: [a, b] }, reader);
    return (item) => not(intersects(item));
  }
  const [first, second] = [endsOf(a), endsOf(b)];
  const ends: Record<End, (item: Item) => Value> = {
    aStart: endOf(first.start, reader),
    aEnd: endOf(first.end, reader),
    bStart: endOf(second.start, reader),
    bEnd: endOf(second.end, reader),
  };
  const evaluators = TEMPORAL_TESTS[op].map(
    ([left, test, right]): Evaluator<Item> =>
      (item) =>
        truthOf(test, compareValues(ends[left](item), ends[right](item))),
  );
  return (item) => all(each(evaluators, item));
}

function endOf<Item>(source: EndSource, reader: ItemReader<Item>): (item: Item) => Value {
  if (typeof source === 'string') return () => ({ key: source });
  return (item) => {
    const key = keyOf(valueOf(reader.raw(item, source.property)));
    return key === undefined ? null : { key };
  };
}

function spatialEvaluator<Item>({ op, args: [a, b] }: Cql2Spatial, reader: ItemReader<Item>): Evaluator<Item> {
  if (!('property' in a) && !('property' in b)) {
    // Two literals are compared once and not for each item, because a comparison of many positions takes long.
    const holds = geometriesIntersect(a, b) === (op === 's_intersects');
    return () => holds;
  }
  const [left, right] = [shapesFor(a, reader), shapesFor(b, reader)];
  return (item) => {
    const [some, others] = [left(item), right(item)];
    if (some === null || others === null) return null;
    return shapesIntersect(some, others) === (op === 's_intersects');
  };
}

function shapesFor<Item>(
  operand: Cql2GeometryOperand,
  reader: ItemReader<Item>,
): (item: Item) => readonly Shape[] | null {
  if ('property' in operand) {
    return (item) => {
      const geometry = reader.geometry(item, operand.property);
      return geometry === undefined || geometry === null ? null : shapesOf(geometry);
    };
  }
  const shapes = simpleGeometries(operand).flatMap(shapesOf);
  return () => shapes;
}
