import type { Cql2ComparisonOperator, Cql2Expression, Cql2Property, Cql2Scalar } from '@headwater/cql2';
import type { MapColumn } from '@headwater/core/ports';
import { lonLatBox, type NamedCrs, readCrs } from '../protocol/crs.ts';
import { EcqlCursor } from './ecql-cursor.ts';
import {
  columnNamed,
  demandComparable,
  demandText,
  type FeatureFilter,
  GEOMETRY,
  literalFor,
  testName,
} from './feature-filter.ts';
import type { SpatialTest } from './spatial-tests.ts';
import { readWkt } from './wkt.ts';

/** Context of a filter: its layer and its parameter. */
export interface FilterContext {
  readonly columns: readonly MapColumn[];
  readonly geometryName: string;
  /** Coordinate system of coordinates without SRID; depends on the WFS version. */
  readonly crs: NamedCrs;
  /** Name of the parameter, for messages. */
  readonly parameter: string;
}

/** Length of each unit of DWITHIN, m. */
const UNITS: Readonly<Record<string, number>> = {
  METERS: 1,
  METRES: 1,
  KILOMETERS: 1000,
  KILOMETRES: 1000,
  FEET: 0.3048,
  'STATUTE MILES': 1609.344,
  'NAUTICAL MILES': 1852,
};

const COMPARISONS: Readonly<Record<string, Cql2ComparisonOperator>> = {
  '=': '=',
  '<>': '<>',
  '!=': '<>',
  '<': '<',
  '>': '>',
  '<=': '<=',
  '>=': '>=',
};

/** Maximum number of WITHIN, CONTAINS and DWITHIN in a filter, because each reads whole shapes. */
const MOST_TESTS = 8;

const WORDS: ReadonlySet<string> = new Set(['AND', 'OR', 'NOT', 'IN', 'LIKE', 'ILIKE', 'BETWEEN', 'IS', 'NULL']);

/**
 * Parses ECQL into the tree of CQL2: comparisons, AND, OR, NOT, IN, LIKE, ILIKE, BETWEEN, IS NULL, INCLUDE, EXCLUDE,
 * BBOX, INTERSECTS, DISJOINT, WITHIN, CONTAINS and DWITHIN with WKT. A name must be a column; unusual names are in
 * double quotes. Throws 400 for everything else.
 */
export function parseEcql(filter: string, context: FilterContext): FeatureFilter {
  const cursor = new EcqlCursor(filter, context.parameter);
  const reader = new EcqlReader(cursor, context);
  const tree = reader.either();
  if (cursor.token.kind !== 'end') throw cursor.unexpected('AND or OR, or end the filter');
  return { tree, tests: reader.tests };
}

class EcqlReader {
  readonly tests: SpatialTest[] = [];
  readonly #cursor: EcqlCursor;
  readonly #context: FilterContext;

  constructor(cursor: EcqlCursor, context: FilterContext) {
    this.#cursor = cursor;
    this.#context = context;
  }

  either(): Cql2Expression {
    return this.#joined('or', () => this.#joined('and', () => this.#negated()));
  }

  #joined(op: 'and' | 'or', read: () => Cql2Expression): Cql2Expression {
    const args = [read()];
    while (this.#cursor.takes(op.toUpperCase())) args.push(read());
    const [only] = args;
    return args.length === 1 && only !== undefined ? only : { op, args };
  }

  #negated(): Cql2Expression {
    const cursor = this.#cursor;
    if (cursor.takes('NOT')) return { op: 'not', args: [cursor.nested(() => this.#negated())] };
    if (cursor.takes('INCLUDE')) return true;
    if (cursor.takes('EXCLUDE')) return false;
    if (!cursor.takes('(')) return this.#condition();
    const inner = cursor.nested(() => this.either());
    cursor.demand(')');
    return inner;
  }

  #condition(): Cql2Expression {
    const cursor = this.#cursor;
    const { token, following } = cursor;
    const isCall = token.kind === 'name' && following?.kind === 'sign' && following.text === '(';
    if (isCall && !WORDS.has(token.text.toUpperCase())) return this.#call();
    if (token.kind !== 'name' && token.kind !== 'quoted') return this.#comparison(undefined);
    const column = this.#column();
    const isNegated = cursor.takes('NOT');
    const condition = this.#columnCondition(column);
    if (condition !== undefined) return isNegated ? { op: 'not', args: [condition] } : condition;
    if (isNegated) throw cursor.unexpected('IN, LIKE, ILIKE or BETWEEN');
    if (!cursor.takes('IS')) return this.#comparison(column);
    const isFilled = cursor.takes('NOT');
    cursor.demand('NULL');
    const isNull = { op: 'isNull', args: [propertyOf(column)] } as const;
    return isFilled ? { op: 'not', args: [isNull] } : isNull;
  }

  /** Reads BETWEEN, IN, LIKE or ILIKE, which NOT may precede; undefined if the next word is none of these. */
  #columnCondition(column: MapColumn): Cql2Expression | undefined {
    const cursor = this.#cursor;
    const property = propertyOf(column);
    if (cursor.takes('BETWEEN')) {
      const low = this.#literal(column);
      cursor.demand('AND');
      return { op: 'between', args: [property, low, this.#literal(column)] };
    }
    if (cursor.takes('IN')) {
      cursor.demand('(');
      const list = [this.#literal(column)];
      while (cursor.takes(',')) list.push(this.#literal(column));
      cursor.demand(')');
      return { op: 'in', args: [property, list] };
    }
    if (cursor.isWord('LIKE') || cursor.isWord('ILIKE')) demandText(column, this.#context.parameter);
    if (cursor.takes('LIKE')) return { op: 'like', args: [property, this.#pattern()] };
    if (!cursor.takes('ILIKE')) return undefined;
    const fold = { op: 'casei', args: [property] } as const;
    return { op: 'like', args: [fold, { op: 'casei', args: [this.#pattern()] }] };
  }

  /** Reads a comparison. If `left` is undefined, the first operand is a literal. */
  #comparison(left: MapColumn | undefined): Cql2Expression {
    const cursor = this.#cursor;
    const literal = left === undefined ? cursor.token : undefined;
    if (literal !== undefined) this.#rawLiteral();
    const op =
      Object.hasOwn(COMPARISONS, cursor.token.text) && cursor.token.kind === 'sign'
        ? COMPARISONS[cursor.take().text]
        : undefined;
    if (op === undefined) throw cursor.unexpected('a comparison, such as =');
    const isColumn =
      cursor.token.kind === 'quoted' || (cursor.token.kind === 'name' && !/^(?:true|false)$/i.test(cursor.token.text));
    if (left !== undefined && isColumn) {
      const right = this.#column();
      demandComparable(left, right, this.#context.parameter);
      return { op, args: [propertyOf(left), propertyOf(right)] };
    }
    if (left !== undefined) return { op, args: [propertyOf(left), this.#literal(left)] };
    if (literal === undefined || !isColumn) throw cursor.unexpected('the name of a column');
    const right = this.#column();
    const value = literal.kind === 'number' ? Number(literal.text) : literal.text;
    return { op, args: [literalFor(right, value, this.#context.parameter), propertyOf(right)] };
  }

  #column(): MapColumn {
    const { token } = this.#cursor;
    const { columns, parameter, geometryName } = this.#context;
    if (token.kind !== 'quoted' && (token.kind !== 'name' || WORDS.has(token.text.toUpperCase())))
      throw this.#cursor.unexpected('the name of a column');
    if (token.text === geometryName && !columns.some(({ name }) => name === geometryName))
      throw this.#cursor.fault(
        token.at,
        `${geometryName} is the geometry`,
        'use it in BBOX, INTERSECTS, DISJOINT, WITHIN, CONTAINS or DWITHIN',
      );
    const column = columnNamed(columns, token.text, parameter);
    const following = this.#cursor.following;
    if (token.kind === 'name' && following?.kind === 'sign' && following.text === '(') throw this.#function(token.text);
    this.#cursor.take();
    return column;
  }

  #literal(column: MapColumn): string | number | boolean {
    return literalFor(column, this.#rawLiteral(), this.#context.parameter);
  }

  #rawLiteral(): string | number | boolean {
    const { kind, text } = this.#cursor.token;
    if (kind === 'text') return this.#cursor.take().text;
    if (kind === 'number') return this.#cursor.number();
    if (kind === 'name' && /^(?:true|false)$/i.test(text)) return this.#cursor.take().text.toLowerCase() === 'true';
    throw this.#cursor.unexpected("a value, such as 5 or 'text'");
  }

  #pattern(): string {
    if (this.#cursor.token.kind !== 'text') throw this.#cursor.unexpected("a pattern, such as 'a%'");
    return this.#cursor.take().text;
  }

  #function(name: string): Error {
    const remedy =
      'compare columns with values; the spatial tests are BBOX, INTERSECTS, DISJOINT, WITHIN, CONTAINS and DWITHIN';
    return this.#cursor.fault(this.#cursor.token.at, `the function ${name.slice(0, 40)} is not offered`, remedy);
  }

  #call(): Cql2Expression {
    const cursor = this.#cursor;
    const name = cursor.token.text.toUpperCase();
    const read = Object.hasOwn(CALLS, name) ? CALLS[name] : undefined;
    if (read === undefined) throw this.#function(cursor.token.text);
    cursor.take();
    cursor.demand('(');
    const { token } = cursor;
    const { geometryName } = this.#context;
    if ((token.kind !== 'name' && token.kind !== 'quoted') || token.text !== geometryName)
      throw cursor.unexpected(`${geometryName}, the geometry of the layer,`);
    cursor.take();
    cursor.demand(',');
    const condition = read(cursor, this.#context, (test) => {
      if (this.tests.length === MOST_TESTS)
        throw cursor.fault(
          token.at,
          `the filter has more than ${MOST_TESTS} tests WITHIN, CONTAINS and DWITHIN`,
          'send a simpler filter',
        );
      return { op: '=', args: [{ property: testName(this.tests.push(test) - 1) }, true] };
    });
    cursor.demand(')');
    return condition;
  }
}

const propertyOf = ({ name }: MapColumn): Cql2Property & Cql2Scalar => ({ property: name });

type ReadCall = (
  cursor: EcqlCursor,
  context: FilterContext,
  asTest: (test: SpatialTest) => Cql2Expression,
) => Cql2Expression;

const CALLS: Readonly<Record<string, ReadCall>> = {
  BBOX: (cursor, context) => ({ op: 's_intersects', args: [GEOMETRY, { bbox: readBox(cursor, context) }] }),
  INTERSECTS: (cursor, { crs }) => ({ op: 's_intersects', args: [GEOMETRY, readWkt(cursor, crs)] }),
  DISJOINT: (cursor, { crs }) => ({ op: 's_disjoint', args: [GEOMETRY, readWkt(cursor, crs)] }),
  WITHIN: (cursor, { crs }, asTest) => asTest({ op: 'within', geometry: readWkt(cursor, crs) }),
  CONTAINS: (cursor, { crs }, asTest) => asTest({ op: 'contains', geometry: readWkt(cursor, crs) }),
  DWITHIN: (cursor, { crs }, asTest) => {
    const geometry = readWkt(cursor, crs);
    cursor.demand(',');
    const { at } = cursor.token;
    const distance = cursor.number();
    if (distance < 0) throw cursor.fault(at, 'the distance is below 0', 'send 0 or more');
    cursor.demand(',');
    return asTest({ op: 'dwithin', geometry, metres: distance * readUnit(cursor) });
  },
};

function readBox(cursor: EcqlCursor, { crs, parameter }: FilterContext): readonly [number, number, number, number] {
  const numbers: number[] = [];
  for (let at = 0; at < 4; at++) {
    if (at > 0) cursor.demand(',');
    numbers.push(cursor.number());
  }
  let named = crs;
  if (cursor.takes(',')) {
    if (cursor.token.kind !== 'text') throw cursor.unexpected("a coordinate system, such as 'EPSG:4326'");
    named = readCrs(cursor.take().text, parameter);
  }
  const [a = 0, b = 0, c = 0, d = 0] = numbers;
  return lonLatBox([a, b, c, d], named, parameter);
}

function readUnit(cursor: EcqlCursor): number {
  const words: string[] = [];
  const { at } = cursor.token;
  if (cursor.token.kind === 'text') words.push(cursor.take().text);
  while (cursor.token.kind === 'name') words.push(cursor.take().text);
  const unit = words.join(' ').toUpperCase();
  const metres = Object.hasOwn(UNITS, unit) ? UNITS[unit] : undefined;
  if (metres === undefined)
    throw cursor.fault(at, `${JSON.stringify(unit.slice(0, 40))} is not a unit`, 'use meters or kilometers');
  return metres;
}
