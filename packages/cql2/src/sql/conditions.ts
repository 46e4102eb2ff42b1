import { checkedTree } from '../json/parse.ts';
import {
  type Cql2Expression,
  type Cql2In,
  type Cql2IsNull,
  type Cql2Like,
  type Cql2Temporal,
  type Cql2GeometryOperand,
  type Cql2Property,
  type Cql2Spatial,
  type Cql2Arithmetic,
  type Cql2Fold,
  type Cql2Scalar,
  isArithmetic,
} from '../model/expression.ts';
import { AFTER_ALL, BEFORE_ALL } from '../model/instant.ts';
import { patternText } from '../semantics/pattern.ts';
import { type End, endsOf, type EndSource, TEMPORAL_TESTS, literalKey } from '../semantics/temporal.ts';
import { comparisonSql, listSql } from './comparison.ts';
import { instantSql, nullSql, operandAs, withValue, type Cql2SqlTarget, type Operand } from './operand.ts';
import { geometriesIntersect } from '../geometry/intersects.ts';
import { simpleGeometries } from '../geometry/shapes.ts';
import type { Cql2Bbox, Cql2Geometry } from '../model/read-geometry.ts';
import { ACCENTS, type CaseTable, caseTable, fold, SHARP_S } from '../semantics/fold.ts';
import { LARGEST_OPERAND, SMALLEST_OPERAND } from '../semantics/numbers.ts';

function temporalSql({ op, args: [a, b] }: Cql2Temporal, target: Cql2SqlTarget): string {
  const [first, second] = [endsOf(a), endsOf(b)];
  const ends: Record<End, EndSource> = {
    aStart: first.start,
    aEnd: first.end,
    bStart: second.start,
    bEnd: second.end,
  };
  const tests = TEMPORAL_TESTS[op === 't_disjoint' ? 't_intersects' : op];
  const sql = tests.map(
    ([left, test, right]) => `(${endSql(ends[left], target)}) ${test} (${endSql(ends[right], target)})`,
  );
  return op === 't_disjoint' ? `(NOT (${sql.join(' AND ')}))` : `(${sql.join(' AND ')})`;
}

function endSql(source: EndSource, target: Cql2SqlTarget): string {
  if (source === BEFORE_ALL) return `'-infinity'::timestamptz`;
  if (source === AFTER_ALL) return `'infinity'::timestamptz`;
  if (typeof source === 'string') return instantSql(source, target);
  const property = scalarSql(source, target);
  return operandAs('timestamp', property, target) ?? nullSql('timestamptz', [property.sql]);
}

function conditionSql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  if (typeof expression === 'boolean') return expression ? 'TRUE' : 'FALSE';
  switch (expression.op) {
    case 'and':
    case 'or':
      return `(${expression.args.map((part) => conditionSql(part, target)).join(` ${expression.op.toUpperCase()} `)})`;
    case 'not':
      return `(NOT ${conditionSql(expression.args[0], target)})`;
    case 'isNull':
      return isNullSql(expression, target);
    case 'like':
      return likeSql(expression, target);
    case 'between': {
      const [value, low, high] = expression.args;
      const [least, most] = [scalarSql(low, target), scalarSql(high, target)];
      return withValue(
        scalarSql(value, target),
        (one) => `(${comparisonSql('>=', [one, least], target)} AND ${comparisonSql('<=', [one, most], target)})`,
      );
    }
    case 'in':
      return inSql(expression, target);
    case 's_intersects':
    case 's_disjoint':
      return spatialSql(expression, target);
    case '=':
    case '<>':
    case '<':
    case '>':
    case '<=':
    case '>=':
      return comparisonSql(
        expression.op,
        [scalarSql(expression.args[0], target), scalarSql(expression.args[1], target)],
        target,
      );
    default:
      return temporalSql(expression, target);
  }
}

function inSql({ args: [value, list] }: Cql2In, target: Cql2SqlTarget): string {
  const items = list.map((scalar) => ({
    operand: scalarSql(scalar, target),
    isLiteral: typeof scalar !== 'object' || 'timestamp' in scalar || 'date' in scalar,
  }));
  return listSql(scalarSql(value, target), items, target);
}

function isNullSql({ args: [operand] }: Cql2IsNull, target: Cql2SqlTarget): string {
  const { sql, kind } = scalarSql(operand, target);
  // Also true for a JSON null.
  return kind === 'json' ? `(COALESCE(jsonb_typeof(${sql}), 'null') = 'null')` : `((${sql}) IS NULL)`;
}

function likeSql({ args: [operand, pattern] }: Cql2Like, target: Cql2SqlTarget): string {
  const value = scalarSql(operand, target);
  const text = operandAs('text', value, target);
  return text === undefined
    ? nullSql('boolean', [value.sql])
    : `((${text}) LIKE ${target.param(patternText(pattern))}::text)`;
}

/**
 * SQL of a condition for PostgreSQL with PostGIS, equivalent to `cql2Predicate`. Texts and numbers become parameters.
 */
export function cql2Sql(expression: Cql2Expression, target: Cql2SqlTarget): string {
  return conditionSql(checkedTree(expression), target);
}

function spatialSql({ op, args }: Cql2Spatial, target: Cql2SqlTarget): string {
  const intersects = intersectsSql(args, target);
  return op === 's_intersects' ? intersects : `(NOT ${intersects})`;
}

function intersectsSql([a, b]: readonly [Cql2GeometryOperand, Cql2GeometryOperand], target: Cql2SqlTarget): string {
  if ('property' in a) return 'property' in b ? columnsSql(a, b, target) : literalSpatialSql(a, b, target);
  if ('property' in b) return literalSpatialSql(b, a, target);
  return geometriesIntersect(a, b) ? 'TRUE' : 'FALSE';
}

function columnsSql(a: Cql2Property, b: Cql2Property, target: Cql2SqlTarget): string {
  const columns = [a, b].map(({ property }) => target.queryable(property)).filter((each) => each !== undefined);
  const sql = columns.map((column) => column.sql);
  const isPossible = columns.length === 2 && columns.every(({ kind }) => kind === 'geometry');
  return isPossible ? `ST_Intersects(${sql.join(', ')})` : nullSql('boolean', sql);
}

/**
 * SQL of an intersection with a literal: a condition for its points and lines, one for its polygons, and one for each
 * part of a box. PostgreSQL can use an index for each condition.
 */
function literalSpatialSql(
  { property }: Cql2Property,
  literal: Cql2Geometry | Cql2Bbox,
  target: Cql2SqlTarget,
): string {
  const column = target.queryable(property);
  if (column?.kind !== 'geometry') return nullSql('boolean', column === undefined ? [] : [column.sql]);
  const literalSql = (part: Cql2Geometry): string =>
    `ST_SetSRID(ST_GeomFromGeoJSON(${target.param(JSON.stringify(part))}::text), 4326)`;
  const { plain, areas } = partsOf(literal);
  const conditions = [
    ...plain.map((part) => `ST_Intersects(${column.sql}, ${literalSql(part)})`),
    ...areas.map((part) => areaSql(column.sql, literalSql(part))),
  ];
  return `(${conditions.join(' OR ')})`;
}

/**
 * SQL of an intersection with an area. GEOS fails on invalid polygons. For an invalid polygon, the SQL tests instead if
 * the column's geometry intersects the polygon's lines, or has a corner in the polygon. PostgreSQL knows the parameter
 * when it plans the CASE, and plans only one branch.
 */
function areaSql(column: string, area: string): string {
  const lines = `ST_Boundary(${area})`;
  const isDrawn = `ST_Intersects(${column}, ${lines}) OR ST_Intersects(ST_Points(${column}), ${area})`;
  return `CASE WHEN ST_IsValid(${area}) THEN ST_Intersects(${column}, ${area}) ELSE ${column} && ${lines} AND (${isDrawn}) END`;
}

interface Parts {
  /** Points, lines and boxes, which are always valid. */
  readonly plain: readonly Cql2Geometry[];
  readonly areas: readonly Cql2Geometry[];
}

function partsOf(literal: Cql2Geometry | Cql2Bbox): Parts {
  if ('bbox' in literal) return { plain: simpleGeometries(literal), areas: [] };
  const simple = simpleGeometries(literal);
  const polygons = simple.flatMap((part) => {
    if (part.type === 'Polygon') return [part.coordinates];
    return part.type === 'MultiPolygon' ? part.coordinates : [];
  });
  const others = simple.filter(({ type }) => type !== 'Polygon' && type !== 'MultiPolygon');
  return {
    plain: others.length > 1 ? [{ type: 'GeometryCollection', geometries: others }] : others,
    areas: polygons.length === 0 ? [] : [{ type: 'MultiPolygon', coordinates: polygons }],
  };
}

const NOTHING: Operand = { sql: 'NULL', kind: 'nothing' };

function scalarSql(scalar: Cql2Scalar, target: Cql2SqlTarget): Operand {
  if (typeof scalar === 'string') return textLiteral(scalar, target);
  if (typeof scalar === 'number') return { sql: `${target.param(scalar)}::float8`, kind: 'number' };
  if (typeof scalar === 'boolean') return { sql: `${target.param(scalar)}::boolean`, kind: 'boolean' };
  if ('property' in scalar) return target.queryable(scalar.property) ?? NOTHING;
  if ('timestamp' in scalar || 'date' in scalar)
    return { sql: instantSql(literalKey(scalar), target), kind: 'timestamp' };
  return isArithmetic(scalar) ? calculationSql(scalar, target) : foldSql(scalar, target);
}

function textLiteral(literal: string, { param }: Cql2SqlTarget): Operand {
  let sql: string | undefined;
  return {
    kind: 'text',
    literal,
    get sql() {
      sql ??= `${param(literal)}::text`;
      return sql;
    },
  };
}

function foldSql({ op, args }: Cql2Fold, target: Cql2SqlTarget): Operand {
  const inner = scalarSql(args[0], target);
  if (inner.literal !== undefined) return textLiteral(fold(op, inner.literal), target);
  const text = operandAs('text', inner, target);
  if (text === undefined) return { sql: nullSql('text', [inner.sql]), kind: 'text', isLarge: true };
  if (op === 'accenti') {
    const bare = `regexp_replace(normalize(${text}, NFD), '${ACCENTS}', '', 'g')`;
    return { sql: `normalize(${bare}, NFC)`, kind: 'text', isLarge: true };
  }
  const sql = withValue({ sql: text, kind: 'text', isLarge: true }, (value) => caseFoldSql(value.sql, target));
  return { sql, kind: 'text', isLarge: true };
}

/** SQL that folds case: `lower` for ASCII texts, because it is faster; `translate` for all others. */
function caseFoldSql(text: string, target: Cql2SqlTarget): string {
  const { from, to } = tableSql(target);
  const singles = SHARP_S.reduce((whole, letter) => `replace(${whole}, '${letter}', 'ss')`, text);
  return (
    `CASE WHEN octet_length(${text}) = char_length(${text}) THEN lower(${text} COLLATE "C") ` +
    `ELSE translate(${singles}, ${from}, ${to}) END`
  );
}

const TABLES = new WeakMap<Cql2SqlTarget, CaseTable>();

function tableSql(target: Cql2SqlTarget): CaseTable {
  const known = TABLES.get(target);
  if (known !== undefined) return known;
  const { from, to } = caseTable();
  const table = { from: `${target.param(from)}::text`, to: `${target.param(to)}::text` };
  TABLES.set(target, table);
  return table;
}

function calculationSql({ op, args }: Cql2Arithmetic, target: Cql2SqlTarget): Operand {
  const [left, right] = [scalarSql(args[0], target), scalarSql(args[1], target)];
  const [a, b] = [operandAs('number', left, target), operandAs('number', right, target)];
  if (a === undefined || b === undefined)
    return { sql: nullSql('float8', [left.sql, right.sql]), kind: 'number', isLarge: true };
  const guards = [isOperand('cql2_left'), isOperand('cql2_right'), ...(op === '/' ? ['cql2_right <> 0'] : [])];
  const sql =
    `(SELECT CASE WHEN ${guards.join(' AND ')} THEN cql2_left ${op} cql2_right END ` +
    `FROM (SELECT ${a} AS cql2_left, ${b} AS cql2_right OFFSET 0) AS cql2_row)`;
  return { sql, kind: 'number', isLarge: true };
}

function isOperand(name: string): string {
  return `(${name} = 0 OR abs(${name}) BETWEEN ${SMALLEST_OPERAND}::float8 AND ${LARGEST_OPERAND}::float8)`;
}
