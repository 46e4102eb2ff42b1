import { markParsed, wasParsed, asCondition, type Part, type PartValue } from '../build/part.ts';
import { leaf, operation, type ParseContext } from '../build/operation.ts';
import { Budget, type Cql2Limits } from '../model/budget.ts';
import { checkedEnd, checkedInstant, checkedName, checkedNumber, checkedText } from '../model/checks.ts';
import { Cql2Error } from '../model/error.ts';
import type { Cql2Expression, Cql2Interval, Cql2IntervalEnd } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { type Place, shown } from '../model/place.ts';
import { readBbox, readGeometry } from '../model/read-geometry.ts';

/** Parses CQL2-JSON. Throws `Cql2Error` with a JSON pointer to the invalid part. */
export function parseCql2Json(value: unknown, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  const budget = new Budget(limits);
  const part = read(value, { place: placeAt(''), budget, depth: 0, pointer: '' });
  budget.end();
  return markParsed(asCondition(part));
}

/** Parses a GeoJSON geometry within the limits of a filter. Throws `Cql2Error`. */
export function parseGeometry(value: unknown, limits: Partial<Cql2Limits> = {}): Cql2Geometry {
  return readGeometry(value, { place: placeAt(''), budget: new Budget(limits) });
}

interface JsonContext extends ParseContext {
  readonly pointer: string;
  readonly depth: number;
}

function placeAt(pointer: string): Place {
  return {
    error: ({ code = 'syntax', ...fault }, inside = '') =>
      new Cql2Error({ code, ...fault, position: null, pointer: `${pointer}${inside}` }),
  };
}

function inside(context: JsonContext, pointer: string): JsonContext {
  const whole = `${context.pointer}${pointer}`;
  return { place: placeAt(whole), budget: context.budget, pointer: whole, depth: context.depth + 1 };
}

/** Reads a part of a filter. The depth is checked before the recursion, so that the stack cannot overflow. */
function read(value: unknown, context: JsonContext): Part {
  const { place, budget, depth } = context;
  budget.depth(depth, place);
  if (Array.isArray(value)) {
    // The list itself counts as a node, because otherwise any number of empty lists would cost nothing.
    budget.node(place);
    // `Array.from`, because `map` skips the holes of a sparse list.
    const items = Array.from(value, (item: unknown, at) => read(item, inside(context, `/${at}`)));
    return { kind: 'list', value: items, place, height: Math.max(0, ...items.map((item) => item.height)) };
  }
  if (typeof value === 'object' && value !== null && 'op' in value) return readOperation(value, context);
  return leaf(literal(value, context), context);
}

function literal(value: unknown, context: JsonContext): PartValue {
  const { place, budget } = context;
  if (typeof value === 'boolean') return { kind: 'boolean', value };
  if (typeof value === 'number') return { kind: 'number', value: checkedNumber(value, place) };
  if (typeof value === 'string') {
    budget.characters(value.length, place);
    return { kind: 'text', value: checkedText(value, place) };
  }
  if (typeof value === 'object' && value !== null) {
    if ('type' in value) return { kind: 'geometry', value: readGeometry(value, context) };
    const [key = '', ...others] = Object.keys(value);
    const member: unknown = Object.values(value)[0];
    if (others.length === 0) {
      if (key === 'property') return { kind: 'property', value: readProperty(member, inside(context, '/property')) };
      if (key === 'timestamp') return { kind: 'instant', value: { timestamp: checkedInstant(key, member, place) } };
      if (key === 'date') return { kind: 'instant', value: { date: checkedInstant(key, member, place) } };
      if (key === 'interval') return { kind: 'interval', value: readInterval(member, inside(context, '/interval')) };
      if (key === 'bbox') return { kind: 'geometry', value: readBbox(member, place) };
    }
  }
  throw place.error({
    found: shown(value),
    expected:
      'a text, a number, true, false, a GeoJSON geometry, an object with op and args, or an object with only one of property, timestamp, date, interval and bbox',
    remedy: value === null ? 'Use isNull to test for missing values.' : 'Write the filter as CQL2-JSON.',
  });
}

function readOperation(value: object & { readonly op: unknown }, context: JsonContext): Part {
  const { place } = context;
  const other = Object.keys(value).find((name) => name !== 'op' && name !== 'args');
  const args: unknown = 'args' in value ? value.args : undefined;
  if (typeof value.op !== 'string' || !Array.isArray(args) || other !== undefined)
    throw place.error({
      found:
        other === undefined
          ? `op ${shown(value.op)} with args ${shown(args)}`
          : `the member ${shown(other)} next to op`,
      expected: 'an object with the text op and the list args, nothing else',
      remedy: 'Write {"op": "=", "args": [{"property": "name"}, "value"]}.',
    });
  return operation(
    value.op,
    Array.from(args, (argument: unknown, at) => read(argument, inside(context, `/args/${at}`))),
    context,
  );
}

function readProperty(name: unknown, { place, budget }: JsonContext): { property: string } {
  if (typeof name !== 'string')
    throw place.error({
      found: shown(name),
      expected: 'the name of a property',
      remedy: 'Write {"property": "name"}.',
    });
  budget.characters(name.length, place);
  return { property: checkedName(name, place) };
}

function readInterval(value: unknown, context: JsonContext): Cql2Interval {
  if (!Array.isArray(value) || value.length !== 2)
    throw context.place.error({
      found: shown(value),
      expected: 'a list of a start and an end',
      remedy: 'Write {"interval": ["2020-01-01T00:00:00Z", ".."]}.',
    });
  return { interval: [readEnd(value[0], inside(context, '/0')), readEnd(value[1], inside(context, '/1'))] };
}

function readEnd(value: unknown, context: JsonContext): Cql2IntervalEnd {
  if (typeof value === 'object' && value !== null && 'property' in value) {
    context.budget.node(context.place);
    return readProperty(value.property, inside(context, '/property'));
  }
  return checkedEnd(value, context.place);
}

/** Returns a tree from a parser of this package unchanged, and checks any other tree as CQL2-JSON. */
export function checkedTree(expression: Cql2Expression): Cql2Expression {
  return wasParsed(expression) ? expression : parseCql2Json(expression);
}
