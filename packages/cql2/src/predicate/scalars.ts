import { type Cql2Scalar, isArithmetic } from '../model/expression.ts';
import { fold } from '../semantics/fold.ts';
import { calculate } from '../semantics/numbers.ts';
import { literalKey } from '../semantics/temporal.ts';
import type { Look } from './look.ts';
import { type LiteralText, literalText, type Value, valueOf } from './value.ts';

/** A scalar that is compared: a text of the filter itself, folded or not, is known as one. */
export function comparedOf<Item>(scalar: Cql2Scalar, look: Look<Item>): (item: Item) => Value | LiteralText {
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
export function scalarOf<Item>(scalar: Cql2Scalar, look: Look<Item>): (item: Item) => Value {
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
