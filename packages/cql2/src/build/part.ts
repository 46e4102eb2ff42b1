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

/** A parsed part of a filter, before its role as an argument is known. */
export type Part = PartValue & {
  readonly place: Place;
  readonly height: number;
};

export type PartValue =
  | { readonly kind: 'condition'; readonly value: Exclude<Cql2Expression, boolean> }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'property'; readonly value: Cql2Property }
  | { readonly kind: 'text'; readonly value: string }
  | { readonly kind: 'text in CASEI or ACCENTI'; readonly value: Cql2Fold }
  | { readonly kind: 'number'; readonly value: number }
  | { readonly kind: 'calculation'; readonly value: Cql2Arithmetic }
  | { readonly kind: 'instant'; readonly value: Cql2Instant }
  | { readonly kind: 'interval'; readonly value: Cql2Interval }
  | { readonly kind: 'geometry'; readonly value: Cql2Geometry | Cql2Bbox }
  | { readonly kind: 'list'; readonly value: readonly Part[] };

export function asCondition(part: Part): Cql2Expression {
  if (part.kind === 'condition' || part.kind === 'boolean') return part.value;
  throw wrong(
    part,
    'a condition',
    part.kind === 'property' ? 'Compare the property: name = TRUE, or name IS NOT NULL.' : 'Compare it with a value.',
  );
}

export function asScalar(part: Part): Cql2Scalar {
  if (part.kind !== 'condition' && part.kind !== 'interval' && part.kind !== 'geometry' && part.kind !== 'list')
    return part.value;
  const remedy =
    part.kind === 'interval'
      ? 'Use t_intersects or another temporal operator.'
      : 'Compare properties, texts, numbers, booleans and instants.';
  throw wrong(part, 'a value that can be compared', remedy);
}

export function asText(part: Part): Cql2Text {
  if (part.kind === 'text' || part.kind === 'text in CASEI or ACCENTI' || part.kind === 'property') return part.value;
  throw wrong(part, 'a text or a property', 'Put texts into single quotation marks.');
}

export function asPattern(part: Part): Cql2Pattern {
  const pattern = literalIn(part);
  if (pattern !== undefined) {
    checkedPattern(innermost(pattern), part.place);
    return pattern;
  }
  throw wrong(
    part,
    'a pattern',
    "Write a text with % and _, such as 'Smith%', or such a text in CASEI(...) or ACCENTI(...).",
  );
}

/** True for a literal text, also with folded case or accents. False for a text that contains a property. */
export function isLiteralText(part: Part): boolean {
  return literalIn(part) !== undefined;
}

function literalIn(part: Part): Cql2Pattern | undefined {
  return part.kind === 'text' || part.kind === 'text in CASEI or ACCENTI' ? literalOf(part.value) : undefined;
}

export function asNumber(part: Part): Cql2Number {
  if (part.kind === 'number' || part.kind === 'calculation' || part.kind === 'property') return part.value;
  throw wrong(part, 'a number or a property', 'Calculate with numbers and properties only.');
}

export function asTemporal(part: Part): Cql2TemporalOperand {
  if (part.kind === 'property' || part.kind === 'instant' || part.kind === 'interval') return part.value;
  throw wrong(
    part,
    'a property, a timestamp, a day or an interval',
    "Write TIMESTAMP('2020-01-31T10:00:00Z'), DATE('2020-01-31') or INTERVAL('2020-01-01', '..').",
  );
}

export function asGeometry(part: Part): Cql2GeometryOperand {
  if (part.kind === 'property' || part.kind === 'geometry') return part.value;
  throw wrong(
    part,
    'a property, a geometry or a bbox',
    'Give WKT in a text filter, GeoJSON in a JSON filter, or a bbox of four numbers.',
  );
}

function wrong(part: Part, expected: string, remedy: string): Error {
  return part.place.error({
    found: `a ${part.kind}`.replace('a instant', 'an instant').replace('a interval', 'an interval'),
    expected,
    remedy,
  });
}

function literalOf(text: Cql2Text): Cql2Pattern | undefined {
  if (typeof text === 'string') return text;
  if ('property' in text) return undefined;
  const inner = literalOf(text.args[0]);
  return inner === undefined ? undefined : { op: text.op, args: [inner] };
}

function innermost(pattern: Cql2Pattern): string {
  return typeof pattern === 'string' ? pattern : innermost(pattern.args[0]);
}

/** Trees of this package's parsers, which need no second check. */
const PARSED = new WeakSet<object>();

export function markParsed(expression: Cql2Expression): Cql2Expression {
  if (typeof expression === 'object') PARSED.add(expression);
  return expression;
}

export function wasParsed(expression: Cql2Expression): boolean {
  return typeof expression === 'boolean' || PARSED.has(expression);
}
