import { geometriesIntersect } from '../geometry/intersects.ts';
import { simpleGeometries } from '../geometry/shapes.ts';
import type { Cql2GeometryOperand, Cql2Property, Cql2Spatial } from '../model/expression.ts';
import type { Cql2Bbox, Cql2Geometry } from '../model/read-geometry.ts';
import { nullSql } from './operand.ts';
import type { Cql2SqlTarget } from './operand.ts';

/** SQL of a spatial operator: a planar test of two geometries in longitude and latitude. */
export function spatialSql({ op, args }: Cql2Spatial, target: Cql2SqlTarget): string {
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

/** Compares a property with a literal. Each part of the literal becomes its own condition, for which PostgreSQL can use an index. */
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
 * SQL of the test with one polygon. GEOS, the library behind PostGIS, fails on invalid polygons: those that cross
 * themselves, overlap, or have a hole outside of the outer ring. For such a polygon the SQL tests if the column's
 * geometry touches its lines or has a corner inside of it. PostgreSQL knows the parameter's value when it plans the
 * CASE, so only one branch remains.
 */
function areaSql(column: string, area: string): string {
  const lines = `ST_Boundary(${area})`;
  const isDrawn = `ST_Intersects(${column}, ${lines}) OR ST_Intersects(ST_Points(${column}), ${area})`;
  return `CASE WHEN ST_IsValid(${area}) THEN ST_Intersects(${column}, ${area}) ELSE ${column} && ${lines} AND (${isDrawn}) END`;
}

interface Parts {
  /** Points, lines and boxes, which are always valid. A box over the antimeridian becomes two boxes. */
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
