import { isObject } from '@headwater/core/values';
import { type Cql2Comparison, type Cql2Expression, isCql2Error, parseCql2Json } from '@headwater/cql2';
import { foundInstead } from './filter.ts';
import { parsedJson, Refusal } from './reading.ts';
import { propertyName } from './sort.ts';

type Value = string | number | boolean;

const COMPARED: Readonly<Record<string, Cql2Comparison['op']>> = {
  eq: '=',
  neq: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
};
const PATTERNS: Readonly<Record<string, (text: string) => string>> = {
  startsWith: (text) => `${text}%`,
  endsWith: (text) => `%${text}`,
  contains: (text) => `%${text}%`,
};
const OPERATORS = [...Object.keys(COMPARED), ...Object.keys(PATTERNS), 'in'].join(', ');
const FORM = `Write {"field":{"operator":value}}; operators are ${OPERATORS}.`;
/** Maximum number of conditions, which all become one SQL statement. */
const MOST_CONDITIONS = 500;
/** Command-line clients send numbers as texts, so these texts are also compared as numbers. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** Reads the parameter `query` of a GET: an object as JSON text. */
export function readQueryText(text: string): Cql2Expression | undefined | Refusal {
  const value = parsedJson(text);
  return value === undefined ? new Refusal(`The query is not JSON. ${FORM}`) : readQuery(value);
}

/** Converts the object of the Query extension to a filter. `wholeFilter` later checks names and texts. */
export function readQuery(sent: unknown): Cql2Expression | undefined | Refusal {
  if (!isObject(sent)) return new Refusal(`The query is not an object. ${FORM}`);
  const conditions: Cql2Expression[] = [];
  for (const [field, operators] of Object.entries(sent)) {
    if (!isObject(operators)) return new Refusal(`${shown(field)}: no operators. ${FORM}`);
    for (const [operator, value] of Object.entries(operators)) {
      const condition = conditionOf(propertyName(field), operator, value);
      if (condition instanceof Refusal) return new Refusal(`${shown(field)}: ${condition.sentence}`);
      conditions.push(condition);
      if (conditions.length > MOST_CONDITIONS)
        return new Refusal(`More than ${MOST_CONDITIONS} conditions; send fewer, or use \`in\` with a list of values.`);
    }
  }
  return allOf(conditions);
}

function allOf(conditions: readonly Cql2Expression[]): Cql2Expression | undefined {
  return conditions.length > 1 ? { op: 'and', args: conditions } : conditions[0];
}

/** Joins `filter` and `query`, because the limits of a filter apply to both together. */
export function wholeFilter(filter: Cql2Expression | undefined, query: Cql2Expression): Cql2Expression | Refusal {
  const all = filter === undefined ? query : { op: 'and' as const, args: [filter, query] };
  try {
    return parseCql2Json(all);
  } catch (error) {
    if (!isCql2Error(error)) throw error;
    return new Refusal(foundInstead(error.details, filter === undefined ? '' : 'Together with the filter,'));
  }
}

function conditionOf(property: string, operator: string, value: unknown): Cql2Expression | Refusal {
  const compared = Object.hasOwn(COMPARED, operator) ? COMPARED[operator] : undefined;
  if (compared !== undefined)
    return isValue(value) ? comparison(property, compared, value) : new Refusal(`${operator} needs one value. ${FORM}`);
  const pattern = Object.hasOwn(PATTERNS, operator) ? PATTERNS[operator] : undefined;
  if (pattern !== undefined) {
    if (typeof value !== 'string') return new Refusal(`${operator} needs a text. ${FORM}`);
    return { op: 'like', args: [{ property }, pattern(value.replaceAll(/[\\%_]/g, '\\$&'))] };
  }
  if (operator !== 'in') return new Refusal(`${shown(operator)} is not an operator. ${FORM}`);
  if (!Array.isArray(value) || value.length === 0 || !value.every(isValue))
    return new Refusal(`in needs a list of values. ${FORM}`);
  return { op: 'in', args: [{ property }, value.flatMap(alternatives)] };
}

function comparison(property: string, op: Cql2Comparison['op'], value: Value): Cql2Expression {
  const each = alternatives(value).map((one): Cql2Expression => ({ op, args: [{ property }, one] }));
  const [only] = each;
  return each.length === 1 && only !== undefined ? only : { op: 'or', args: each };
}

function alternatives(value: Value): readonly Value[] {
  return typeof value === 'string' && NUMBER.test(value) ? [value, Number(value)] : [value];
}

function isValue(value: unknown): value is Value {
  return (
    typeof value === 'string' || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 60));
}
