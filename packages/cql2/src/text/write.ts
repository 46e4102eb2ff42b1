import { checkedTree } from '../json/checked-tree.ts';
import {
  type Cql2Expression,
  type Cql2GeometryOperand,
  type Cql2IntervalEnd,
  type Cql2Number,
  type Cql2Pattern,
  type Cql2Scalar,
  type Cql2TemporalOperand,
  isArithmetic,
} from '../model/expression.ts';
import { writtenName } from './keywords.ts';
import { writeGeometry } from './write-geometry.ts';

/** Writes CQL2-Text that reads back as the same tree. */
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

/** AND and OR inside of an operator stand in parentheses, so that the tree comes back as it was. */
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
