import { markRead, wasRead } from '../build/mark.ts';
import { operation, type Site } from '../build/operation.ts';
import { asCondition, type Part, type Sorted } from '../build/part.ts';
import { Budget, type Cql2Limits } from '../model/budget.ts';
import { checkedEnd, checkedInstant, checkedName, checkedNumber, checkedText } from '../model/checks.ts';
import { Cql2Error } from '../model/error.ts';
import type { Cql2Expression, Cql2Interval, Cql2IntervalEnd } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/read-geometry.ts';
import { type Place, shown } from '../model/place.ts';
import { readBbox, readGeometry } from '../model/read-geometry.ts';

/** Reads CQL2-JSON, parsed. Throws `Cql2Error` with a JSON pointer to what cannot be read. */
export function parseCql2Json(value: unknown, limits: Partial<Cql2Limits> = {}): Cql2Expression {
  const site = { place: placeAt(''), budget: new Budget(limits), depth: 0, pointer: '' };
  return markRead(asCondition(read(value, site)));
}

/** Reads a GeoJSON geometry, parsed, as one in a filter is read, within the same limits. Throws `Cql2Error` as `parseCql2Json` does. */
export function parseGeometry(value: unknown, limits: Partial<Cql2Limits> = {}): Cql2Geometry {
  return readGeometry(value, { place: placeAt(''), budget: new Budget(limits) });
}

interface JsonSite extends Site {
  readonly pointer: string;
  readonly depth: number;
}

function placeAt(pointer: string): Place {
  return {
    error: ({ code = 'syntax', ...fault }, inside = '') =>
      new Cql2Error({ code, ...fault, position: null, pointer: `${pointer}${inside}` }),
  };
}

function inside(site: JsonSite, pointer: string): JsonSite {
  const whole = `${site.pointer}${pointer}`;
  return { place: placeAt(whole), budget: site.budget, pointer: whole, depth: site.depth + 1 };
}

/** Everything that may stand as an argument. Refused before it goes deeper than the limit, so that the stack holds. */
function read(value: unknown, site: JsonSite): Part {
  const { place, budget, depth } = site;
  budget.depth(depth, place);
  if (Array.isArray(value)) {
    // Empty ones too: lists of lists of nothing would cost nothing, however many they are.
    budget.node(place);
    // `map` would pass over the holes of a list that was made by hand.
    const items = Array.from(value, (item: unknown, at) => read(item, inside(site, `/${at}`)));
    return { sort: 'list', value: items, place, height: Math.max(0, ...items.map((item) => item.height)) };
  }
  if (typeof value === 'object' && value !== null && 'op' in value) return readOperation(value, site);
  budget.node(place);
  return { ...literal(value, site), place, height: 0 };
}

function literal(value: unknown, site: JsonSite): Sorted {
  const { place, budget } = site;
  if (typeof value === 'boolean') return { sort: 'boolean', value };
  if (typeof value === 'number') return { sort: 'number', value: checkedNumber(value, place) };
  if (typeof value === 'string') {
    budget.characters(value.length, place);
    return { sort: 'text', value: checkedText(value, place) };
  }
  if (typeof value === 'object' && value !== null) {
    if ('type' in value) return { sort: 'geometry', value: readGeometry(value, site) };
    const [key = '', ...others] = Object.keys(value);
    const member: unknown = Object.values(value)[0];
    if (others.length === 0) {
      if (key === 'property') return { sort: 'property', value: readProperty(member, inside(site, '/property')) };
      if (key === 'timestamp') return { sort: 'instant', value: { timestamp: checkedInstant(key, member, place) } };
      if (key === 'date') return { sort: 'instant', value: { date: checkedInstant(key, member, place) } };
      if (key === 'interval') return { sort: 'interval', value: readInterval(member, inside(site, '/interval')) };
      if (key === 'bbox') return { sort: 'geometry', value: readBbox(member, place) };
    }
  }
  throw place.error({
    found: shown(value),
    expected:
      'a text, a number, true, false, a GeoJSON geometry, or an object with op and args, or with property, timestamp, date, interval or bbox alone',
    remedy: value === null ? 'Use isNull to ask for what is absent.' : 'Write the filter as CQL2-JSON.',
  });
}

function readOperation(value: object & { readonly op: unknown }, site: JsonSite): Part {
  const { place } = site;
  const other = Object.keys(value).find((name) => name !== 'op' && name !== 'args');
  const args: unknown = 'args' in value ? value.args : undefined;
  if (typeof value.op !== 'string' || !Array.isArray(args) || other !== undefined)
    throw place.error({
      found:
        other === undefined ? `op ${shown(value.op)} with args ${shown(args)}` : `the member ${shown(other)} beside op`,
      expected: 'an object with the text op and the list args, nothing else',
      remedy: 'Write {"op": "=", "args": [{"property": "name"}, "value"]}.',
    });
  return operation(
    value.op,
    Array.from(args, (argument: unknown, at) => read(argument, inside(site, `/args/${at}`))),
    site,
  );
}

function readProperty(name: unknown, { place, budget }: JsonSite): { property: string } {
  if (typeof name !== 'string')
    throw place.error({
      found: shown(name),
      expected: 'the name of a property',
      remedy: 'Write {"property": "name"}.',
    });
  budget.characters(name.length, place);
  return { property: checkedName(name, place) };
}

function readInterval(value: unknown, site: JsonSite): Cql2Interval {
  if (!Array.isArray(value) || value.length !== 2)
    throw site.place.error({
      found: shown(value),
      expected: 'a list of a start and an end',
      remedy: 'Write {"interval": ["2020-01-01T00:00:00Z", ".."]}.',
    });
  return { interval: [readEnd(value[0], inside(site, '/0')), readEnd(value[1], inside(site, '/1'))] };
}

function readEnd(value: unknown, site: JsonSite): Cql2IntervalEnd {
  if (typeof value === 'object' && value !== null && 'property' in value)
    return readProperty(value.property, inside(site, '/property'));
  return checkedEnd(value, site.place);
}

/** The tree, checked as CQL2-JSON is where it was made by hand and not by a parser of this package. */
export function checkedTree(expression: Cql2Expression): Cql2Expression {
  return wasRead(expression) ? expression : parseCql2Json(expression);
}
