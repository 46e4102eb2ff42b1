import fc, { type Arbitrary } from 'fast-check';
import {
  ARITHMETIC,
  COMPARISONS,
  type Cql2Expression,
  type Cql2GeometryOperand,
  type Cql2Instant,
  type Cql2IntervalEnd,
  type Cql2Number,
  type Cql2Pattern,
  type Cql2Property,
  type Cql2Scalar,
  type Cql2TemporalOperand,
  type Cql2Text,
  SPATIAL_OPERATORS,
  TEMPORAL_OPERATORS,
} from '../model/expression.ts';

/** Values from which filters are generated. */
export interface Vocabulary {
  /** Names of properties, each used with values of all types. */
  readonly names: readonly string[];
  readonly texts: readonly string[];
  readonly patterns: readonly string[];
  readonly numbers: readonly number[];
  readonly timestamps: readonly string[];
  readonly dates: readonly string[];
  readonly geometries: readonly Exclude<Cql2GeometryOperand, Cql2Property>[];
}

/** Generates filters with all operators, for property tests with fast-check. */
export function anyExpression(vocabulary: Vocabulary): Arbitrary<Cql2Expression> {
  const scalar = anyScalar(vocabulary);
  const leaf = fc.oneof(
    { weight: 6, arbitrary: comparisons(scalar) },
    { weight: 2, arbitrary: listed(scalar) },
    { weight: 2, arbitrary: likes(vocabulary) },
    { weight: 2, arbitrary: temporals(vocabulary) },
    { weight: 2, arbitrary: spatials(vocabulary) },
    { weight: 1, arbitrary: fc.boolean() },
  );
  return fc.letrec<{ tree: Cql2Expression }>((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small', maxDepth: 4 },
      leaf,
      fc.record({ op: fc.constant('not'), args: fc.tuple(tie('tree')) }),
      fc.record({ op: fc.constantFrom('and', 'or'), args: fc.array(tie('tree'), { minLength: 2, maxLength: 4 }) }),
    ),
  })).tree;
}

function properties({ names }: Vocabulary): Arbitrary<Cql2Property> {
  return fc.record({ property: fc.constantFrom(...names) });
}

function anyScalar(vocabulary: Vocabulary): Arbitrary<Cql2Scalar> {
  return fc.oneof(
    { weight: 6, arbitrary: properties(vocabulary) },
    { weight: 3, arbitrary: fc.constantFrom(...vocabulary.texts) },
    { weight: 3, arbitrary: fc.constantFrom(...vocabulary.numbers) },
    { weight: 1, arbitrary: fc.boolean() },
    { weight: 2, arbitrary: instants(vocabulary) },
    { weight: 2, arbitrary: texts(vocabulary) },
    { weight: 2, arbitrary: calculations(vocabulary) },
  );
}

function instants({ timestamps, dates }: Vocabulary): Arbitrary<Cql2Instant> {
  return fc.oneof(
    fc.record({ timestamp: fc.constantFrom(...timestamps) }),
    fc.record({ date: fc.constantFrom(...dates) }),
  );
}

function texts(vocabulary: Vocabulary): Arbitrary<Cql2Text> {
  return fc.letrec<{ text: Cql2Text }>((tie) => ({
    text: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      properties(vocabulary),
      fc.constantFrom(...vocabulary.texts),
      fc.record({ op: fc.constantFrom('casei', 'accenti'), args: fc.tuple(tie('text')) }),
    ),
  })).text;
}

function calculations(vocabulary: Vocabulary): Arbitrary<Cql2Number> {
  return fc.letrec<{ number: Cql2Number }>((tie) => ({
    number: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      properties(vocabulary),
      fc.constantFrom(...vocabulary.numbers),
      fc.record({ op: fc.constantFrom(...ARITHMETIC), args: fc.tuple(tie('number'), tie('number')) }),
    ),
  })).number;
}

function comparisons(scalar: Arbitrary<Cql2Scalar>): Arbitrary<Cql2Expression> {
  return fc.oneof(
    { weight: 6, arbitrary: fc.record({ op: fc.constantFrom(...COMPARISONS), args: fc.tuple(scalar, scalar) }) },
    { weight: 1, arbitrary: fc.record({ op: fc.constant('isNull'), args: fc.tuple(scalar) }) },
  );
}

function listed(scalar: Arbitrary<Cql2Scalar>): Arbitrary<Cql2Expression> {
  const list = fc.array(scalar, { minLength: 1, maxLength: 5 });
  return fc.oneof(
    fc.record({ op: fc.constant('between'), args: fc.tuple(scalar, scalar, scalar) }),
    fc.record({ op: fc.constant('in'), args: fc.tuple(scalar, list) }),
  );
}

function likes(vocabulary: Vocabulary): Arbitrary<Cql2Expression> {
  const plain = fc.constantFrom(...vocabulary.patterns);
  const pattern: Arbitrary<Cql2Pattern> = fc.oneof(
    plain,
    fc.record({ op: fc.constantFrom('casei', 'accenti'), args: fc.tuple(plain) }),
  );
  return fc.record({ op: fc.constant('like'), args: fc.tuple(texts(vocabulary), pattern) });
}

function temporals(vocabulary: Vocabulary): Arbitrary<Cql2Expression> {
  const end: Arbitrary<Cql2IntervalEnd> = fc.oneof(
    properties(vocabulary),
    fc.constantFrom('..', ...vocabulary.timestamps, ...vocabulary.dates),
  );
  const operand: Arbitrary<Cql2TemporalOperand> = fc.oneof(
    properties(vocabulary),
    instants(vocabulary),
    fc.record({ interval: fc.tuple(end, end) }),
  );
  return fc.record({ op: fc.constantFrom(...TEMPORAL_OPERATORS), args: fc.tuple(operand, operand) });
}

function spatials(vocabulary: Vocabulary): Arbitrary<Cql2Expression> {
  const operand: Arbitrary<Cql2GeometryOperand> = fc.oneof(
    { weight: 3, arbitrary: fc.constant({ property: 'geometry' }) },
    { weight: 4, arbitrary: fc.constantFrom(...vocabulary.geometries) },
    { weight: 1, arbitrary: properties(vocabulary) },
  );
  return fc.record({ op: fc.constantFrom(...SPATIAL_OPERATORS), args: fc.tuple(operand, operand) });
}
