import { simpleGeometries } from '../geometry/shapes.ts';
import type { Cql2GeometryOperand, Cql2Spatial } from '../model/expression.ts';
import type { Cql2Geometry } from '../model/geometry.ts';
import { UNKNOWN } from './operand.ts';
import type { Cql2SqlTarget } from './target.ts';

/** Two geometries in the plane of longitude and latitude; a box over the antimeridian is two boxes, each of which an index can serve. */
export function spatialSql({ op, args: [a, b] }: Cql2Spatial, target: Cql2SqlTarget): string {
  const [some, others] = [geometriesSql(a, target), geometriesSql(b, target)];
  if (some === undefined || others === undefined) return UNKNOWN;
  const pairs = some.flatMap((left) => others.map((right) => `ST_Intersects(${left}, ${right})`));
  const intersects = `(${pairs.join(' OR ')})`;
  return op === 's_intersects' ? intersects : `(NOT ${intersects})`;
}

function geometriesSql(operand: Cql2GeometryOperand, target: Cql2SqlTarget): readonly string[] | undefined {
  if ('property' in operand) {
    const queryable = target.queryable(operand.property);
    return queryable?.kind === 'geometry' ? [queryable.sql] : undefined;
  }
  const parts: readonly Cql2Geometry[] = 'bbox' in operand ? simpleGeometries(operand) : [operand];
  return parts.map((part) => `ST_SetSRID(ST_GeomFromGeoJSON(${target.param(JSON.stringify(part))}::text), 4326)`);
}
