import { operation } from '../build/operation.ts';
import type { Part } from '../build/part.ts';
import { COMPARISONS } from '../model/expression.ts';
import type { Place } from '../model/place.ts';
import { deeper, type TextSite } from './values.ts';
import { readSum } from './values.ts';

/** Conditions joined by OR, which binds least. */
export function readConditions(site: TextSite): Part {
  return joined(site, 'or', () => joined(site, 'and', () => readCondition(site)));
}

/** Several of one operator in a row are one operation of them all. */
function joined({ cursor, budget }: TextSite, op: 'and' | 'or', read: () => Part): Part {
  const first = read();
  if (!cursor.isWord(op.toUpperCase())) return first;
  const { place } = cursor;
  const parts = [first];
  while (cursor.tookWord(op.toUpperCase())) parts.push(read());
  return operation(op, parts, { place, budget });
}

function readCondition(site: TextSite): Part {
  const { cursor, budget } = site;
  const { place } = cursor;
  if (cursor.tookWord('NOT')) return operation('not', [readCondition(deeper(site))], { place, budget });
  return readComparison(site, readSum(site));
}

/** What follows a value; the value itself where nothing does. */
function readComparison(site: TextSite, left: Part): Part {
  const { cursor, budget } = site;
  const { place } = cursor;
  const comparison = COMPARISONS.find((op) => cursor.isSign(op));
  if (comparison !== undefined) {
    cursor.take();
    return operation(comparison, [left, readSum(site)], { place, budget });
  }
  if (cursor.tookWord('IS')) return readIsNull(site, left, place);
  const isNegated = cursor.tookWord('NOT');
  const found = readNegatable(site, left, place);
  if (found === undefined && isNegated)
    throw cursor.unexpected('LIKE, BETWEEN or IN', 'Write NOT before a condition, or before LIKE, BETWEEN or IN.');
  if (found === undefined) return left;
  return isNegated ? operation('not', [found], { place, budget }) : found;
}

function readIsNull({ cursor, budget }: TextSite, left: Part, place: Place): Part {
  const isNegated = cursor.tookWord('NOT');
  if (!cursor.tookWord('NULL')) throw cursor.unexpected('NULL', 'Write IS NULL or IS NOT NULL.');
  const isNull = operation('isNull', [left], { place, budget });
  return isNegated ? operation('not', [isNull], { place, budget }) : isNull;
}

function readNegatable(site: TextSite, left: Part, place: Place): Part | undefined {
  const { cursor, budget } = site;
  if (cursor.tookWord('LIKE')) return operation('like', [left, readSum(site)], { place, budget });
  if (cursor.tookWord('BETWEEN')) {
    const low = readSum(site);
    if (!cursor.tookWord('AND')) throw cursor.unexpected('AND', 'Write BETWEEN 1 AND 2.');
    return operation('between', [left, low, readSum(site)], { place, budget });
  }
  if (!cursor.tookWord('IN')) return undefined;
  const listPlace = cursor.place;
  budget.node(listPlace);
  cursor.needSign('(', "Write the values in parentheses, as IN ('a', 'b').");
  const value = [readSum(site)];
  while (cursor.tookSign(',')) value.push(readSum(site));
  cursor.needSign(')', 'Separate the values by commas and close the parenthesis.');
  const height = Math.max(...value.map((item) => item.height));
  return operation('in', [left, { sort: 'list', value, place: listPlace, height }], { place, budget });
}
