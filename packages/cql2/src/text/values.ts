import { operation } from '../build/operation.ts';
import type { Part, Sorted } from '../build/part.ts';
import type { Budget } from '../model/budget.ts';
import { checkedEnd, checkedInstant, checkedName, checkedNumber, checkedText } from '../model/checks.ts';
import type { Cql2IntervalEnd } from '../model/expression.ts';
import type { Place } from '../model/place.ts';
import { readBbox, readGeometry } from '../model/read-geometry.ts';
import type { Cursor } from './cursor.ts';
import { isWktName, readWkt, signedNumber } from './wkt.ts';
import { calledOperator, isReserved } from './write.ts';

/** What the parts of the grammar are read with; `depth` counts parentheses, calls and NOT. */
export interface TextSite {
  readonly cursor: Cursor;
  readonly budget: Budget;
  readonly depth: number;
  /** Reads what stands in parentheses: the whole grammar again. */
  readonly inner: (site: TextSite) => Part;
}

/** One level deeper; refused before the stack could overflow. */
export function deeper(site: TextSite): TextSite {
  site.budget.depth(site.depth + 1, site.cursor.place);
  return { ...site, depth: site.depth + 1 };
}

/** A value, or several with + and - between them, from the left. */
export function readSum(site: TextSite): Part {
  return chained(site, ['+', '-'], () => chained(site, ['*', '/', '%', '^', 'DIV'], () => readValue(site)));
}

function chained({ cursor, budget }: TextSite, operators: readonly string[], read: () => Part): Part {
  let left = read();
  for (;;) {
    const { place } = cursor;
    const op = operators.find((each) => cursor.isSign(each) || cursor.isWord(each));
    if (op === undefined) return left;
    cursor.take();
    left = operation(op, [left, read()], { place, budget });
  }
}

function readValue(site: TextSite): Part {
  const { cursor, budget } = site;
  const { place, token } = cursor;
  if (cursor.isSign('(')) {
    const inner = deeper(site);
    cursor.take();
    const part = site.inner(inner);
    cursor.needSign(')', 'Close each parenthesis that is opened; lists of values stand after IN only.');
    return part;
  }
  if (token.kind === 'word' && !isReserved(token.value)) {
    cursor.take();
    if (isWktName(token.value) && (cursor.isSign('(') || cursor.isWord('Z')))
      return leaf(site, place, geometry(site, place, token.value));
    return cursor.isSign('(') ? readCall(site, place, token.value) : leaf(site, place, property(token.value, place));
  }
  budget.node(place);
  return { ...literal(cursor, place), place, height: 0 };
}

function leaf({ budget }: TextSite, place: Place, sorted: Sorted): Part {
  budget.node(place);
  return { ...sorted, place, height: 0 };
}

function literal(cursor: Cursor, place: Place): Sorted {
  const { kind, value } = cursor.token;
  if (kind === 'number' || cursor.isSign('-') || cursor.isSign('+'))
    return { sort: 'number', value: checkedNumber(signedNumber(cursor), place) };
  if (kind === 'text') {
    cursor.take();
    return { sort: 'text', value: checkedText(value, place) };
  }
  if (kind === 'name') {
    cursor.take();
    return property(value, place);
  }
  if (cursor.tookWord('TRUE')) return { sort: 'boolean', value: true };
  if (cursor.tookWord('FALSE')) return { sort: 'boolean', value: false };
  throw cursor.unexpected(
    'a property, a text, a number, TRUE, FALSE or a parenthesis',
    cursor.isWord('NULL')
      ? 'Write IS NULL to ask for what is absent.'
      : 'A property that is named like a keyword stands in double quotation marks.',
  );
}

function property(name: string, place: Place): Sorted {
  return { sort: 'property', value: { property: checkedName(name, place) } };
}

function geometry({ cursor, budget }: TextSite, place: Place, word: string): Sorted {
  return { sort: 'geometry', value: readGeometry(readWkt(word, cursor), { place, budget }) };
}

function readCall(site: TextSite, place: Place, name: string): Part {
  const { cursor, budget } = site;
  const inner = deeper(site);
  cursor.take();
  const sorted = literalCall(cursor, place, name.toLowerCase());
  if (sorted !== undefined) {
    cursor.needSign(')', 'Close the parenthesis.');
    return leaf(site, place, sorted);
  }
  const parts: Part[] = [];
  if (!cursor.isSign(')')) {
    do parts.push(site.inner(inner));
    while (cursor.tookSign(','));
  }
  cursor.needSign(')', 'Separate the arguments by commas and close the parenthesis.');
  return operation(calledOperator(name), parts, { place, budget });
}

/** The inside of the calls that are literals; undefined for any other. */
function literalCall(cursor: Cursor, place: Place, name: string): Sorted | undefined {
  if (name === 'timestamp')
    return { sort: 'instant', value: { timestamp: checkedInstant(name, takeText(cursor), place) } };
  if (name === 'date') return { sort: 'instant', value: { date: checkedInstant(name, takeText(cursor), place) } };
  if (name === 'bbox') {
    const numbers = [signedNumber(cursor)];
    while (cursor.tookSign(',')) numbers.push(signedNumber(cursor));
    return { sort: 'geometry', value: readBbox(numbers, place) };
  }
  if (name !== 'interval') return undefined;
  const start = readEnd(cursor);
  cursor.needSign(',', 'Give an interval a start and an end.');
  return { sort: 'interval', value: { interval: [start, readEnd(cursor)] } };
}

function takeText(cursor: Cursor): string {
  if (cursor.token.kind !== 'text')
    throw cursor.unexpected(
      'a text in single quotation marks',
      "Write DATE('2020-01-31') or TIMESTAMP('2020-01-31T10:00:00Z').",
    );
  return cursor.take().value;
}

function readEnd(cursor: Cursor): Cql2IntervalEnd {
  const { place, token } = cursor;
  if (token.kind === 'text') return checkedEnd(cursor.take().value, place);
  if (token.kind !== 'name' && (token.kind !== 'word' || isReserved(token.value)))
    throw cursor.unexpected(
      'a text in single quotation marks or a property',
      "Write INTERVAL('2020-01-01', '..') or INTERVAL(start_datetime, end_datetime).",
    );
  return { property: checkedName(cursor.take().value, place) };
}
