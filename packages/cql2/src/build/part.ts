import type {
  Cql2Arithmetic,
  Cql2Expression,
  Cql2Fold,
  Cql2GeometryOperand,
  Cql2Instant,
  Cql2Interval,
  Cql2Number,
  Cql2Pattern,
  Cql2Property,
  Cql2Scalar,
  Cql2TemporalOperand,
  Cql2Text,
} from '../model/expression.ts';
import type { Cql2Bbox, Cql2Geometry } from '../model/read-geometry.ts';
import { checkedPattern } from '../model/checks.ts';
import type { Place } from '../model/place.ts';

/** Something of a filter that was read, before it is known what it is an argument of. */
export type Part = Sorted & {
  readonly place: Place;
  /** Levels of operators in it. */
  readonly height: number;
};

export type Sorted =
  | { readonly sort: 'condition'; readonly value: Exclude<Cql2Expression, boolean> }
  | { readonly sort: 'boolean'; readonly value: boolean }
  | { readonly sort: 'property'; readonly value: Cql2Property }
  | { readonly sort: 'text'; readonly value: string }
  | { readonly sort: 'folded text'; readonly value: Cql2Fold }
  | { readonly sort: 'number'; readonly value: number }
  | { readonly sort: 'calculation'; readonly value: Cql2Arithmetic }
  | { readonly sort: 'instant'; readonly value: Cql2Instant }
  | { readonly sort: 'interval'; readonly value: Cql2Interval }
  | { readonly sort: 'geometry'; readonly value: Cql2Geometry | Cql2Bbox }
  | { readonly sort: 'list'; readonly value: readonly Part[] };

export function asCondition(part: Part): Cql2Expression {
  if (part.sort === 'condition' || part.sort === 'boolean') return part.value;
  throw wrong(
    part,
    'a condition',
    part.sort === 'property' ? 'Compare the property: name = TRUE, or name IS NOT NULL.' : 'Compare it with something.',
  );
}

export function asScalar(part: Part): Cql2Scalar {
  if (part.sort !== 'condition' && part.sort !== 'interval' && part.sort !== 'geometry' && part.sort !== 'list')
    return part.value;
  const remedy =
    part.sort === 'interval'
      ? 'Use t_intersects or another temporal operator.'
      : 'Compare properties, texts, numbers, booleans and instants.';
  throw wrong(part, 'a value that can be compared', remedy);
}

export function asText(part: Part): Cql2Text {
  if (part.sort === 'text' || part.sort === 'folded text' || part.sort === 'property') return part.value;
  throw wrong(part, 'a text or a property', 'Put texts into single quotation marks.');
}

export function asPattern(part: Part): Cql2Pattern {
  const pattern = literalIn(part);
  if (pattern !== undefined) {
    checkedPattern(innermost(pattern), part.place);
    return pattern;
  }
  throw wrong(part, 'a pattern', "Write a text with % and _, as 'Smith%', or one in CASEI(...) or ACCENTI(...).");
}

/** True for a text without a property in it, folded or not. */
export function isLiteralText(part: Part): boolean {
  return literalIn(part) !== undefined;
}

function literalIn(part: Part): Cql2Pattern | undefined {
  return part.sort === 'text' || part.sort === 'folded text' ? literalOf(part.value) : undefined;
}

export function asNumber(part: Part): Cql2Number {
  if (part.sort === 'number' || part.sort === 'calculation' || part.sort === 'property') return part.value;
  throw wrong(part, 'a number or a property', 'Calculate with numbers and properties only.');
}

export function asTemporal(part: Part): Cql2TemporalOperand {
  if (part.sort === 'property' || part.sort === 'instant' || part.sort === 'interval') return part.value;
  throw wrong(
    part,
    'a property, a timestamp, a day or an interval',
    "Write TIMESTAMP('2020-01-31T10:00:00Z'), DATE('2020-01-31') or INTERVAL('2020-01-01', '..').",
  );
}

export function asGeometry(part: Part): Cql2GeometryOperand {
  if (part.sort === 'property' || part.sort === 'geometry') return part.value;
  throw wrong(
    part,
    'a property, a geometry or a bbox',
    'Give WKT in a text, GeoJSON in JSON, or a bbox of four numbers.',
  );
}

function wrong(part: Part, expected: string, remedy: string): Error {
  return part.place.error({
    found: `a ${part.sort}`.replace('a instant', 'an instant').replace('a interval', 'an interval'),
    expected,
    remedy,
  });
}

/** A text as a pattern; undefined where a property is in it. */
function literalOf(text: Cql2Text): Cql2Pattern | undefined {
  if (typeof text === 'string') return text;
  if ('property' in text) return undefined;
  const inner = literalOf(text.args[0]);
  return inner === undefined ? undefined : { op: text.op, args: [inner] };
}

function innermost(pattern: Cql2Pattern): string {
  return typeof pattern === 'string' ? pattern : innermost(pattern.args[0]);
}
