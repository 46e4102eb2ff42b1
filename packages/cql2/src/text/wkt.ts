import type { Cursor } from './cursor.ts';

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

/** Unchecked GeoJSON coordinates. */
type Raw = readonly (number | Raw)[];

export function isWktName(word: string): boolean {
  return TYPES.has(word.toUpperCase()) || word.toUpperCase() === COLLECTION;
}

/** Reads a WKT geometry after its name; returns unchecked GeoJSON. */
export function readWkt(word: string, cursor: Cursor): unknown {
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

/** A number with or without a sign before it. */
export function signedNumber(cursor: Cursor): number {
  const factor = cursor.tookSign('-') ? -1 : 1;
  if (factor === 1) cursor.tookSign('+');
  if (cursor.token.kind !== 'number') throw cursor.unexpected('a number', 'Write digits, with a point for decimals.');
  return factor * Number(cursor.take().value);
}
