import { markParsed, asCondition, type Part } from '../build/part.ts';
import { Budget, type Cql2Limits } from '../model/budget.ts';
import { isCql2Error } from '../model/error.ts';
import { type Cql2Expression, COMPARISONS } from '../model/expression.ts';
import { Cursor } from './cursor.ts';
import { placeAt } from './tokens.ts';
import { operation } from '../build/operation.ts';
import type { Place } from '../model/place.ts';
import { deeper, type TextContext, readSum } from './values.ts';

/** Parses CQL2-Text. Throws `Cql2Error` with the position of the invalid part. */
export function parseCql2Text(text: string, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  try {
    return parseWhole(text, limits);
  } catch (error) {
    const escaped = text.replaceAll("\\'", "''");
    if (escaped === text || !isCql2Error(error) || error.details.code !== 'syntax') throw error;
    return parseWholeOr(error, escaped, limits);
  }
}

/**
 * Parses an invalid text again, and reads `\'` as an escaped quotation mark. The first try does not, because a value
 * may end in a backslash, such as `'C:\'`. Throws the error of the first try if the second fails too.
 */
function parseWholeOr(error: unknown, escaped: string, limits: Partial<Cql2Limits>): Cql2Expression {
  try {
    return parseWhole(escaped, limits);
  } catch {
    throw error;
  }
}

function parseWhole(text: string, limits: Partial<Cql2Limits>): Cql2Expression {
  const budget = new Budget(limits);
  budget.characters(text.length, placeAt(0));
  const cursor = new Cursor(text);
  const whole = readConditions({ cursor, budget, depth: 0, inner: readConditions });
  if (cursor.token.kind !== 'end')
    throw cursor.unexpected(
      'AND, OR or the end of the text',
      'Join conditions with AND or OR; compare values with =, <>, <, >, <= or >=.',
    );
  budget.end();
  return markParsed(asCondition(whole));
}

function readConditions(context: TextContext): Part {
  return joined(context, 'or', () => joined(context, 'and', () => readCondition(context)));
}

function joined({ cursor, budget }: TextContext, op: 'and' | 'or', read: () => Part): Part {
  const first = read();
  if (!cursor.isWord(op.toUpperCase())) return first;
  const { place } = cursor;
  const parts = [first];
  while (cursor.tookWord(op.toUpperCase())) parts.push(read());
  return operation(op, parts, { place, budget });
}

function readCondition(context: TextContext): Part {
  const { cursor, budget } = context;
  const { place } = cursor;
  if (cursor.tookWord('NOT')) return operation('not', [readCondition(deeper(context))], { place, budget });
  return readComparison(context, readSum(context));
}

function readComparison(context: TextContext, left: Part): Part {
  const { cursor, budget } = context;
  const { place } = cursor;
  const comparison = COMPARISONS.find((op) => cursor.isSign(op));
  if (comparison !== undefined) {
    cursor.take();
    return operation(comparison, [left, readSum(context)], { place, budget });
  }
  if (cursor.tookWord('IS')) return readIsNull(context, left, place);
  const isNegated = cursor.tookWord('NOT');
  const found = readNegatable(context, left, place);
  if (found === undefined && isNegated)
    throw cursor.unexpected('LIKE, BETWEEN or IN', 'Write NOT before a condition, or before LIKE, BETWEEN or IN.');
  if (found === undefined) return left;
  return isNegated ? operation('not', [found], { place, budget }) : found;
}

function readIsNull({ cursor, budget }: TextContext, left: Part, place: Place): Part {
  const isNegated = cursor.tookWord('NOT');
  if (!cursor.tookWord('NULL')) throw cursor.unexpected('NULL', 'Write IS NULL or IS NOT NULL.');
  const isNull = operation('isNull', [left], { place, budget });
  return isNegated ? operation('not', [isNull], { place, budget }) : isNull;
}

function readNegatable(context: TextContext, left: Part, place: Place): Part | undefined {
  const { cursor, budget } = context;
  if (cursor.tookWord('LIKE')) return operation('like', [left, readSum(context)], { place, budget });
  if (cursor.tookWord('BETWEEN')) {
    const low = readSum(context);
    if (!cursor.tookWord('AND')) throw cursor.unexpected('AND', 'Write BETWEEN 1 AND 2.');
    return operation('between', [left, low, readSum(context)], { place, budget });
  }
  if (!cursor.tookWord('IN')) return undefined;
  const listPlace = cursor.place;
  budget.node(listPlace);
  cursor.needSign('(', "Write the values in parentheses, such as IN ('a', 'b').");
  const value = [readSum(context)];
  while (cursor.tookSign(',')) value.push(readSum(context));
  cursor.needSign(')', 'Separate the values by commas and close the parenthesis.');
  const height = Math.max(...value.map((item) => item.height));
  return operation('in', [left, { kind: 'list', value, place: listPlace, height }], { place, budget });
}
