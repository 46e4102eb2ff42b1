import type { Cql2Bbox, Cql2Geometry } from './read-geometry.ts';

/** Tree of a filter, in the structure of CQL2-JSON. */
export type Cql2Expression =
  | boolean
  | Cql2Logical
  | Cql2Not
  | Cql2Comparison
  | Cql2Like
  | Cql2Between
  | Cql2In
  | Cql2IsNull
  | Cql2Spatial
  | Cql2Temporal;

/** A condition that needs all (`and`) or at least one (`or`) of its arguments. */
export interface Cql2Logical {
  readonly op: 'and' | 'or';
  readonly args: readonly Cql2Expression[];
}

export interface Cql2Not {
  readonly op: 'not';
  readonly args: readonly [Cql2Expression];
}

export const COMPARISONS = ['=', '<>', '<', '>', '<=', '>='] as const;
export type Cql2ComparisonOperator = (typeof COMPARISONS)[number];

export interface Cql2Comparison {
  readonly op: Cql2ComparisonOperator;
  readonly args: readonly [Cql2Scalar, Cql2Scalar];
}

/** Comparison with a pattern. `%` matches any characters, `_` matches a single character, and a backslash escapes. */
export interface Cql2Like {
  readonly op: 'like';
  readonly args: readonly [Cql2Text, Cql2Pattern];
}

/** True if second value <= first value <= third value. */
export interface Cql2Between {
  readonly op: 'between';
  readonly args: readonly [Cql2Scalar, Cql2Scalar, Cql2Scalar];
}

export interface Cql2In {
  readonly op: 'in';
  readonly args: readonly [Cql2Scalar, readonly Cql2Scalar[]];
}

export interface Cql2IsNull {
  readonly op: 'isNull';
  readonly args: readonly [Cql2Scalar];
}

export const SPATIAL_OPERATORS = ['s_intersects', 's_disjoint'] as const;
export type Cql2SpatialOperator = (typeof SPATIAL_OPERATORS)[number];

export interface Cql2Spatial {
  readonly op: Cql2SpatialOperator;
  readonly args: readonly [Cql2GeometryOperand, Cql2GeometryOperand];
}

export type Cql2GeometryOperand = Cql2Property | Cql2Geometry | Cql2Bbox;

export const TEMPORAL_OPERATORS = [
  't_after',
  't_before',
  't_contains',
  't_disjoint',
  't_during',
  't_equals',
  't_finishedBy',
  't_finishes',
  't_intersects',
  't_meets',
  't_metBy',
  't_overlappedBy',
  't_overlaps',
  't_startedBy',
  't_starts',
] as const;
export type Cql2TemporalOperator = (typeof TEMPORAL_OPERATORS)[number];

/** Operators that the limit `costly` counts: on texts, shapes and instants. */
export const COSTLY_OPERATORS: readonly string[] = [
  'like',
  'casei',
  'accenti',
  ...SPATIAL_OPERATORS,
  ...TEMPORAL_OPERATORS,
];

export interface Cql2Temporal {
  readonly op: Cql2TemporalOperator;
  readonly args: readonly [Cql2TemporalOperand, Cql2TemporalOperand];
}

export type Cql2TemporalOperand = Cql2Property | Cql2Instant | Cql2Interval;

/** A timestamp in UTC, such as `2020-01-31T10:00:00Z`, with a precision of one microsecond. */
export interface Cql2Timestamp {
  readonly timestamp: string;
}

/** A day, such as `2020-01-31`. Comparisons use its first moment in UTC. */
export interface Cql2Date {
  readonly date: string;
}

export type Cql2Instant = Cql2Timestamp | Cql2Date;

/** An interval that includes both ends; `..` is an open end. A day as the second end means the end of that day. */
export interface Cql2Interval {
  readonly interval: readonly [Cql2IntervalEnd, Cql2IntervalEnd];
}

/** A timestamp or a day as text, `..`, or a property. */
export type Cql2IntervalEnd = string | Cql2Property;

export interface Cql2Property {
  readonly property: string;
}

/** A value that can be compared. */
export type Cql2Scalar = string | number | boolean | Cql2Property | Cql2Instant | Cql2Fold | Cql2Arithmetic;

/** A text with its case or its accents folded. */
export interface Cql2Fold {
  readonly op: 'casei' | 'accenti';
  readonly args: readonly [Cql2Text];
}

export type Cql2Text = string | Cql2Property | Cql2Fold;

/** The pattern of `like`: a literal text, folded or not. */
export type Cql2Pattern = string | { readonly op: 'casei' | 'accenti'; readonly args: readonly [Cql2Pattern] };

export const ARITHMETIC = ['+', '-', '*', '/'] as const;
export type Cql2ArithmeticOperator = (typeof ARITHMETIC)[number];

export interface Cql2Arithmetic {
  readonly op: Cql2ArithmeticOperator;
  readonly args: readonly [Cql2Number, Cql2Number];
}

export type Cql2Number = number | Cql2Property | Cql2Arithmetic;

/** True for an arithmetic operation. */
export function isArithmetic(value: Cql2Scalar | Cql2Pattern): value is Cql2Arithmetic {
  return typeof value === 'object' && 'op' in value && ARITHMETIC.some((op) => op === value.op);
}
