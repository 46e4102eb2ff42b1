import { simpleGeometries } from '../geometry/shapes.ts';
import type { Cql2GeometryOperand, Cql2Spatial } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/geometry.ts';
import { nullSql } from './operand.ts';
import type { Cql2SqlTarget } from './target.ts';

/** Two geometries in the plane of longitude and latitude; a box over the antimeridian is two boxes, each of which an index can serve. */
export function spatialSql({ op, args: [a, b] }: Cql2Spatial, target: Cql2SqlTarget): string {
  const [some, others] = [geometriesSql(a, target), geometriesSql(b, target)];
  if (!some.isGeometry || !others.isGeometry) return nullSql('boolean', [...some.sql, ...others.sql]);
  const pairs = some.sql.flatMap((left) => others.sql.map((right) => `ST_Intersects(${left}, ${right})`));
  const intersects = `(${pairs.join(' OR ')})`;
  return op === 's_intersects' ? intersects : `(NOT ${intersects})`;
}

interface Geometries {
  readonly sql: readonly string[];
  readonly isGeometry: boolean;
}

function geometriesSql(operand: Cql2GeometryOperand, target: Cql2SqlTarget): Geometries {
  if ('property' in operand) {
    const queryable = target.queryable(operand.property);
    return { sql: queryable === undefined ? [] : [queryable.sql], isGeometry: queryable?.kind === 'geometry' };
  }
  const parts: readonly Cql2Geometry[] = 'bbox' in operand ? simpleGeometries(operand) : [operand];
  const literals = parts.map((part) => target.param(JSON.stringify(part)));
  return { sql: literals.map((literal) => `ST_SetSRID(ST_GeomFromGeoJSON(${literal}::text), 4326)`), isGeometry: true };
}
