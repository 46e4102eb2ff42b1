import { SPATIAL_OPERATORS, TEMPORAL_OPERATORS } from '../model/expression.ts';
import { isPlainName } from './tokens.ts';

/** Words that are no names of properties unless they stand in double quotation marks. */
const RESERVED = new Set(['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL', 'TRUE', 'FALSE', 'DIV']);

/** Operators that are written like functions: name in small letters -> name in CQL2-JSON. */
const CALLS = new Map(
  [...SPATIAL_OPERATORS, ...TEMPORAL_OPERATORS, 'casei', 'accenti'].map((op) => [op.toLowerCase(), op]),
);

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

/** The name in CQL2-JSON of what is written like a function; as it is written where it is not known. */
export function calledOperator(name: string): string {
  return CALLS.get(name.toLowerCase()) ?? name;
}

/** A property's name as it is written in a text. */
export function writtenName(name: string): string {
  return isPlainName(name) && !isReserved(name) ? name : `"${name.replaceAll('"', '""')}"`;
}
