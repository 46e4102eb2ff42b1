import { checkedTree } from '../json/parse.ts';
import {
  type Cql2Expression,
  type Cql2GeometryOperand,
  type Cql2IntervalEnd,
  type Cql2Number,
  type Cql2Pattern,
  type Cql2Scalar,
  type Cql2TemporalOperand,
  isArithmetic,
  SPATIAL_OPERATORS,
  TEMPORAL_OPERATORS,
} from '../model/expression.ts';
import type { Cql2Bbox, Cql2Geometry, Cql2Position } from '../model/read-geometry.ts';
import { isPlainName } from './tokens.ts';

/** Keywords, which need double quotation marks as property names. */
const RESERVED = new Set(['AND', 'OR', 'NOT', 'LIKE', 'BETWEEN', 'IN', 'IS', 'NULL', 'TRUE', 'FALSE', 'DIV']);

/** Operators in the form of a function: name in lower case -> name in CQL2-JSON. */
const CALLS = new Map(
  [...SPATIAL_OPERATORS, ...TEMPORAL_OPERATORS, 'casei', 'accenti'].map((op) => [op.toLowerCase(), op]),
);

export function isReserved(word: string): boolean {
  return RESERVED.has(word.toUpperCase());
}

/** CQL2-JSON name of an operator in the form of a function; an unknown name is returned unchanged. */
export function calledOperator(name: string): string {
  return CALLS.get(name.toLowerCase()) ?? name;
}

/** A property's name in CQL2-Text. */
export function writtenName(name: string): string {
  return isPlainName(name) && !isReserved(name) ? name : `"${name.replaceAll('"', '""')}"`;
}

function writeGeometry(geometry: Cql2Geometry | Cql2Bbox): string {
  if ('bbox' in geometry) return `BBOX(${geometry.bbox.join(', ')})`;
  const name = geometry.type.toUpperCase();
  switch (geometry.type) {
    case 'Point':
      return `${name}(${position(geometry.coordinates)})`;
    case 'LineString':
    case 'MultiPoint':
      return `${name}${positions(geometry.coordinates)}`;
    case 'Polygon':
    case 'MultiLineString':
      return `${name}(${geometry.coordinates.map(positions).join(', ')})`;
    case 'MultiPolygon':
      return `${name}(${geometry.coordinates.map((polygon) => `(${polygon.map(positions).join(', ')})`).join(', ')})`;
    default:
      return `${name}(${geometry.geometries.map(writeGeometry).join(', ')})`;
  }
}

function positions(list: readonly Cql2Position[]): string {
  return `(${list.map(position).join(', ')})`;
}

function position(numbers: Cql2Position): string {
  return numbers.join(' ');
}

/** Writes a tree as CQL2-Text, which `parseCql2Text` converts back to this tree. */
export function writeCql2Text(expression: Cql2Expression): string {
  return condition(checkedTree(expression));
}

function condition(expression: Cql2Expression): string {
  if (typeof expression === 'boolean') return String(expression).toUpperCase();
  switch (expression.op) {
    case 'and':
    case 'or':
      return expression.args.map((part) => inParentheses(part)).join(` ${expression.op.toUpperCase()} `);
    case 'not':
      return `NOT ${inParentheses(expression.args[0])}`;
    case 'isNull':
      return `${scalar(expression.args[0])} IS NULL`;
    case 'like':
      return `${scalar(expression.args[0])} LIKE ${scalar(expression.args[1])}`;
    case 'between': {
      const [value, low, high] = expression.args.map(scalar);
      return `${value} BETWEEN ${low} AND ${high}`;
    }
    case 'in':
      return `${scalar(expression.args[0])} IN (${expression.args[1].map(scalar).join(', ')})`;
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return `${scalar(expression.args[0])} ${expression.op} ${scalar(expression.args[1])}`;
    case 's_intersects':
    case 's_disjoint':
      return `${expression.op.toUpperCase()}(${expression.args.map(geometry).join(', ')})`;
    default:
      return `${expression.op.toUpperCase()}(${expression.args.map(temporal).join(', ')})`;
  }
}

/** Puts AND and OR in parentheses, so that the parser builds the same tree. */
function inParentheses(part: Cql2Expression): string {
  const text = condition(part);
  return typeof part === 'object' && (part.op === 'and' || part.op === 'or') ? `(${text})` : text;
}

function scalar(value: Cql2Scalar | Cql2Pattern): string {
  if (typeof value === 'string') return textLiteral(value);
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return String(value).toUpperCase();
  if ('property' in value) return writtenName(value.property);
  if ('timestamp' in value) return `TIMESTAMP(${textLiteral(value.timestamp)})`;
  if ('date' in value) return `DATE(${textLiteral(value.date)})`;
  if (!isArithmetic(value)) return `${value.op.toUpperCase()}(${scalar(value.args[0])})`;
  return `${number(value.args[0])} ${value.op} ${number(value.args[1])}`;
}

function number(value: Cql2Number): string {
  return typeof value === 'object' && 'op' in value ? `(${scalar(value)})` : scalar(value);
}

function temporal(value: Cql2TemporalOperand): string {
  if ('interval' in value) return `INTERVAL(${value.interval.map(intervalEnd).join(', ')})`;
  return scalar(value);
}

function intervalEnd(end: Cql2IntervalEnd): string {
  return typeof end === 'string' ? textLiteral(end) : writtenName(end.property);
}

function geometry(value: Cql2GeometryOperand): string {
  return 'property' in value ? writtenName(value.property) : writeGeometry(value);
}

function textLiteral(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
