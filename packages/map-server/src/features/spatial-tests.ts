import { type Cql2Geometry, geometriesIntersect } from '@headwater/cql2';
import { covers, isBoxIn, isMoreThanBorder, prepare, type Prepared, type Segment } from './covers.ts';
import type { FeatureBox, MapFeature } from './feature-table.ts';

/** A spatial test that CQL2 lacks. `within`: feature in shape; `contains`: shape in feature. */
export type SpatialTest =
  | { readonly op: 'within' | 'contains'; readonly geometry: Cql2Geometry }
  | { readonly op: 'dwithin'; readonly geometry: Cql2Geometry; readonly metres: number };

/**
 * Compiles a test. The function returns undefined for a feature without geometry. Boxes are compared first, because
 * boxes decide most cases.
 */
export function spatialTest(test: SpatialTest): (feature: MapFeature) => boolean | undefined {
  const shape = prepare(test.geometry);
  const { box: shapeBox } = shape;
  return ({ geometry, box }) => {
    if (geometry === null) return undefined;
    if (box === null || shapeBox === null) return false;
    if (test.op === 'dwithin') {
      const { metres } = test;
      if (leastMetres(box, shapeBox) > metres) return false;
      return geometriesIntersect(geometry, test.geometry) || isNear(prepare(geometry), shape, metres);
    }
    if (test.op === 'within') return covers(shape, geometry, box) && isMoreThanBorder(shape, geometry);
    if (!isBoxIn(shapeBox, box)) return false;
    const outer = prepare(geometry);
    return covers(outer, test.geometry, shapeBox) && isMoreThanBorder(outer, test.geometry);
  };
}

const DEGREE_M = (6_371_008.8 * Math.PI) / 180;

/** Box of all positions within a distance of another box, degrees. */
export function boxAround([west, south, east, north]: FeatureBox, metres: number): FeatureBox {
  const high = metres / DEGREE_M;
  const [bottom, top] = [Math.max(-90, south - high), Math.min(90, north + high)];
  const scale = scaleOf(Math.max(Math.abs(bottom), Math.abs(top)));
  const wide = scale === 0 ? 360 : Math.min(360, high / scale);
  return [west - wide, bottom, east + wide, top];
}

const scaleOf = (latitude: number): number => Math.max(0, Math.cos((latitude * Math.PI) / 180));

/** Lower limit of the distance of geometries in these boxes, m. */
function leastMetres(a: FeatureBox, b: FeatureBox): number {
  const gap = (low: number, high: number): number =>
    Math.max(0, (b[low] ?? 0) - (a[high] ?? 0), (a[low] ?? 0) - (b[high] ?? 0));
  const scale = scaleOf(Math.max(...[a[1], a[3], b[1], b[3]].map(Math.abs)));
  return Math.hypot(gap(0, 2) * scale, gap(1, 3)) * DEGREE_M;
}

/**
 * True if two geometries are at most `metres` apart. A degree of longitude is measured at the latitude of the tested
 * position.
 */
function isNear(a: Prepared, b: Prepared, metres: number): boolean {
  return isOneNear(a, b, metres) || isOneNear(b, a, metres);
}

function isOneNear({ positions, box }: Prepared, { segments, points }: Prepared, metres: number): boolean {
  if (box === null) return false;
  const most = (metres / DEGREE_M) ** 2;
  const [west, south, east, north] = boxAround(box, metres);
  const all: readonly Segment[] = [...segments, ...points.map(([x, y]): Segment => [x, y, x, y])];
  const pieces = all.filter(
    ([x1, y1, x2, y2]) =>
      Math.max(x1, x2) >= west && Math.min(x1, x2) <= east && Math.max(y1, y2) >= south && Math.min(y1, y2) <= north,
  );
  for (const [x, y] of positions) {
    const scale = scaleOf(y);
    for (const segment of pieces) if (squaredDegrees(segment, x, y, scale) <= most) return true;
  }
  return false;
}

function squaredDegrees(segment: Segment, ...[x, y, scale]: readonly [x: number, y: number, scale: number]): number {
  const ax = (segment[0] - x) * scale;
  const ay = segment[1] - y;
  const dx = (segment[2] - x) * scale - ax;
  const dy = segment[3] - y - ay;
  const length = dx * dx + dy * dy;
  const share = length === 0 ? 0 : Math.min(1, Math.max(0, -(ax * dx + ay * dy) / length));
  return (ax + dx * share) ** 2 + (ay + dy * share) ** 2;
}
