import { leaf, operation } from '../build/operation.ts';
import type { Part, PartValue } from '../build/part.ts';
import type { Budget } from '../model/budget.ts';
import { checkedEnd, checkedInstant, checkedName, checkedNumber, checkedText } from '../model/checks.ts';
import type { Cql2IntervalEnd } from '../model/expression.ts';
import type { Place } from '../model/place.ts';
import { readBbox, readGeometry } from '../model/read-geometry.ts';
import type { Cursor } from './cursor.ts';
import { calledOperator, isReserved } from './write.ts';

/** State of the parser. `depth` counts the open parentheses, calls and NOTs. */
export interface TextContext {
  readonly cursor: Cursor;
  readonly budget: Budget;
  readonly depth: number;
  readonly inner: (context: TextContext) => Part;
}

/** State of the parser one level deeper. Throws at the depth limit, so that the stack cannot overflow. */
export function deeper(context: TextContext): TextContext {
  context.budget.depth(context.depth + 1, context.cursor.place);
  return { ...context, depth: context.depth + 1 };
}

/** Reads a value, or several values joined by arithmetic operators. */
export function readSum(context: TextContext): Part {
  return chained(context, ['+', '-'], () => chained(context, ['*', '/', '%', '^', 'DIV'], () => readValue(context)));
}

function chained({ cursor, budget }: TextContext, operators: readonly string[], read: () => Part): Part {
  let left = read();
  for (;;) {
    const { place } = cursor;
    const op = operators.find((each) => cursor.isSign(each) || cursor.isWord(each));
    if (op === undefined) return left;
    cursor.take();
    left = operation(op, [left, read()], { place, budget });
  }
}

function readValue(context: TextContext): Part {
  const { cursor, budget } = context;
  const { place, token } = cursor;
  if (cursor.isSign('(')) {
    const inner = deeper(context);
    cursor.take();
    const part = context.inner(inner);
    cursor.needSign(')', 'Close each open parenthesis; a list of values is allowed only after IN.');
    return part;
  }
  if (token.kind === 'word' && !isReserved(token.value)) {
    cursor.take();
    if (isWktName(token.value) && (cursor.isSign('(') || cursor.isWord('Z')))
      return leaf(geometry(context, place, token.value), { place, budget });
    return cursor.isSign('(')
      ? readCall(context, place, token.value)
      : leaf(property(token.value, place), { place, budget });
  }
  return leaf(literal(cursor, place), { place, budget });
}

function literal(cursor: Cursor, place: Place): PartValue {
  const { kind, value } = cursor.token;
  if (kind === 'number' || cursor.isSign('-') || cursor.isSign('+'))
    return { kind: 'number', value: checkedNumber(signedNumber(cursor), place) };
  if (kind === 'text') {
    cursor.take();
    return { kind: 'text', value: checkedText(value, place) };
  }
  if (kind === 'name') {
    cursor.take();
    return property(value, place);
  }
  if (cursor.tookWord('TRUE')) return { kind: 'boolean', value: true };
  if (cursor.tookWord('FALSE')) return { kind: 'boolean', value: false };
  throw cursor.unexpected(
    'a property, a text, a number, TRUE, FALSE or a parenthesis',
    cursor.isWord('NULL')
      ? 'Write IS NULL to test for missing values.'
      : 'Put a property that is named like a keyword into double quotation marks.',
  );
}

function property(name: string, place: Place): PartValue {
  return { kind: 'property', value: { property: checkedName(name, place) } };
}

function geometry({ cursor, budget }: TextContext, place: Place, word: string): PartValue {
  return { kind: 'geometry', value: readGeometry(readWkt(word, cursor), { place, budget }) };
}

function readCall(context: TextContext, place: Place, name: string): Part {
  const { cursor, budget } = context;
  const inner = deeper(context);
  cursor.take();
  const partValue = literalCall(context, place, name.toLowerCase());
  if (partValue !== undefined) {
    cursor.needSign(')', 'Close the parenthesis.');
    return leaf(partValue, { place, budget });
  }
  const parts: Part[] = [];
  if (!cursor.isSign(')')) {
    do parts.push(context.inner(inner));
    while (cursor.tookSign(','));
  }
  cursor.needSign(')', 'Separate the arguments by commas and close the parenthesis.');
  return operation(calledOperator(name), parts, { place, budget });
}

/** Reads a call that is a literal, such as `DATE('...')`; undefined for any other call. */
function literalCall(context: TextContext, place: Place, name: string): PartValue | undefined {
  const { cursor } = context;
  if (name === 'timestamp')
    return { kind: 'instant', value: { timestamp: checkedInstant(name, takeText(cursor), place) } };
  if (name === 'date') return { kind: 'instant', value: { date: checkedInstant(name, takeText(cursor), place) } };
  if (name === 'bbox') {
    const numbers = [signedNumber(cursor)];
    while (cursor.tookSign(',')) numbers.push(signedNumber(cursor));
    return { kind: 'geometry', value: readBbox(numbers, place) };
  }
  if (name !== 'interval') return undefined;
  const start = readEnd(context);
  cursor.needSign(',', 'Give an interval a start and an end.');
  return { kind: 'interval', value: { interval: [start, readEnd(context)] } };
}

function takeText(cursor: Cursor): string {
  if (cursor.token.kind !== 'text')
    throw cursor.unexpected(
      'a text in single quotation marks',
      "Write DATE('2020-01-31') or TIMESTAMP('2020-01-31T10:00:00Z').",
    );
  return cursor.take().value;
}

function readEnd({ cursor, budget }: TextContext): Cql2IntervalEnd {
  const { place, token } = cursor;
  if (token.kind === 'text') return checkedEnd(cursor.take().value, place);
  if (token.kind !== 'name' && (token.kind !== 'word' || isReserved(token.value)))
    throw cursor.unexpected(
      'a text in single quotation marks or a property',
      "Write INTERVAL('2020-01-01', '..') or INTERVAL(start_datetime, end_datetime).",
    );
  budget.node(place);
  return { property: checkedName(cursor.take().value, place) };
}

/** WKT name in capital letters -> GeoJSON name and the nesting depth of the coordinate lists. */
const TYPES = new Map<string, { readonly type: string; readonly lists: number }>([
  ['POINT', { type: 'Point', lists: 0 }],
  ['MULTIPOINT', { type: 'MultiPoint', lists: 1 }],
  ['LINESTRING', { type: 'LineString', lists: 1 }],
  ['MULTILINESTRING', { type: 'MultiLineString', lists: 2 }],
  ['POLYGON', { type: 'Polygon', lists: 2 }],
  ['MULTIPOLYGON', { type: 'MultiPolygon', lists: 3 }],
]);
const COLLECTION = 'GEOMETRYCOLLECTION';

type Raw = readonly (number | Raw)[];

function isWktName(word: string): boolean {
  return TYPES.has(word.toUpperCase()) || word.toUpperCase() === COLLECTION;
}

function readWkt(word: string, cursor: Cursor): unknown {
  const name = word.toUpperCase();
  cursor.tookWord('Z');
  if (name === COLLECTION) return { type: 'GeometryCollection', geometries: listOf(cursor, () => readMember(cursor)) };
  const { type, lists } = TYPES.get(name) ?? { type: word, lists: 0 };
  return { type, coordinates: lists === 0 ? onePosition(cursor) : nested(cursor, lists) };
}

function readMember(cursor: Cursor): unknown {
  const { kind, value } = cursor.token;
  if (kind === 'word' && TYPES.has(value.toUpperCase())) return readWkt(cursor.take().value, cursor);
  throw cursor.unexpected('a geometry that is not a collection', 'List the geometries one by one, such as POINT(1 2).');
}

function nested(cursor: Cursor, lists: number): Raw {
  return listOf(cursor, () => {
    if (lists > 1) return nested(cursor, lists - 1);
    // Points of a MULTIPOINT may have their own parentheses.
    return cursor.isSign('(') ? onePosition(cursor) : position(cursor);
  });
}

function onePosition(cursor: Cursor): Raw {
  cursor.needSign('(', 'Put the coordinates into parentheses; an empty geometry is not allowed.');
  const read = position(cursor);
  cursor.needSign(')', 'Close the parenthesis after the coordinates.');
  return read;
}

function listOf<Part>(cursor: Cursor, read: () => Part): readonly Part[] {
  cursor.needSign('(', 'Put the coordinates into parentheses; an empty geometry is not allowed.');
  const parts = [read()];
  while (cursor.tookSign(',')) parts.push(read());
  cursor.needSign(')', 'Close the parenthesis after the coordinates.');
  return parts;
}

function position(cursor: Cursor): Raw {
  const numbers = [signedNumber(cursor), signedNumber(cursor)];
  while (cursor.token.kind === 'number' || cursor.isSign('-') || cursor.isSign('+')) numbers.push(signedNumber(cursor));
  return numbers;
}

function signedNumber(cursor: Cursor): number {
  const factor = cursor.tookSign('-') ? -1 : 1;
  if (factor === 1) cursor.tookSign('+');
  if (cursor.token.kind !== 'number') throw cursor.unexpected('a number', 'Write digits, with a point for decimals.');
  return factor * Number(cursor.take().value);
}
