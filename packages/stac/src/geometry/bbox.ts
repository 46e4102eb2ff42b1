import { bbox } from '@turf/bbox';
import { StacError } from '../errors.ts';
import type { Bbox, GeometryLike, PositionLike } from './types.ts';

/** Range of longitudes. West <= east, except across the antimeridian. */
type Span = readonly [west: number, east: number];

/** Distance to the antimeridian that counts as touching, degrees (about 1 mm). */
const TOUCH = 1e-8;

/**
 * Bounds in degrees, without heights; west > east across the antimeridian. Throws `StacError` for an empty geometry or
 * an invalid number.
 */
export function bboxOf(geometry: GeometryLike): Bbox {
  let [south, north] = [Infinity, -Infinity];
  const spans = partsOf(geometry).map((part): Span => {
    const box = bbox({ type: 'MultiPoint', coordinates: part.map(lonLat) });
    south = Math.min(south, box[1]);
    north = Math.max(north, box[3]);
    return [box[0], box[2]];
  });
  if (spans.length === 0 || south === Infinity)
    throw new StacError('bbox: the geometry has no positions; do not publish empty layers');
  const [west, east] = joinSpans(spans);
  return [west, south, east, north];
}

/**
 * Box that contains all boxes. It crosses the antimeridian only if one of the boxes touches or crosses the
 * antimeridian. Throws `StacError` for an empty list.
 */
export function joinBboxes(boxes: readonly Bbox[]): Bbox {
  if (boxes.length === 0) throw new StacError('bbox: there is no box to join; an extent needs at least one Item');
  const [west, east] = joinSpans(
    boxes.flatMap(([w, , e]): Span[] =>
      w > e
        ? [
            [w, 180],
            [-180, e],
          ]
        : [[w, e]],
    ),
  );
  // `Math.min(...all)` would fail for too many arguments.
  const south = boxes.reduce((least, box) => Math.min(least, box[1]), Infinity);
  const north = boxes.reduce((most, box) => Math.max(most, box[3]), -Infinity);
  return [west, south, east, north];
}

/** Removes the heights of a box of six numbers. Other lists stay. */
export function withoutHeights<T>(box: readonly T[]): readonly T[] {
  return box.length === 6 ? box.filter((_, index) => index % 3 < 2) : box;
}

function lonLat(position: PositionLike): [number, number] {
  const [lon, lat] = position;
  if (lon === undefined || lat === undefined || !Number.isFinite(lon) || !Number.isFinite(lat)) {
    throw new StacError(`bbox: position ${JSON.stringify(position)} is not [longitude, latitude]; repair the geometry`);
  }
  return [lon, lat];
}

/** Points, lines and exteriors. None should cross the antimeridian (RFC 7946, 3.1.9). */
function partsOf(geometry: GeometryLike): readonly (readonly PositionLike[])[] {
  switch (geometry.type) {
    case 'Point':
      return [[geometry.coordinates]];
    case 'MultiPoint':
      return geometry.coordinates.map((position) => [position]);
    case 'LineString':
      return [geometry.coordinates];
    case 'MultiLineString':
      return geometry.coordinates;
    case 'Polygon':
      return geometry.coordinates.slice(0, 1);
    case 'MultiPolygon':
      return geometry.coordinates.flatMap((rings) => rings.slice(0, 1));
    default:
      throw new StacError(`bbox: ${String((geometry as { type: unknown }).type)} is not a geometry that STAC allows`);
  }
}

function joinSpans(spans: readonly Span[]): Span {
  const plain: Span = [
    spans.reduce((least, [west]) => Math.min(least, west), Infinity),
    spans.reduce((most, [, east]) => Math.max(most, east), -Infinity),
  ];
  const touches = plain[0] <= -180 + TOUCH || plain[1] >= 180 - TOUCH;
  return touches ? cutAtWidestGap(spans, plain) : plain;
}

/**
 * Shortest range that contains all ranges. It omits the widest gap between ranges; of equal gaps, the gap across
 * +-180.
 */
function cutAtWidestGap(spans: readonly Span[], plain: Span): Span {
  let best = { gap: plain[0] + 360 - plain[1], span: plain };
  let easternmost = -Infinity;
  for (const [west, east] of [...spans].sort((a, b) => a[0] - b[0])) {
    if (easternmost !== -Infinity && west - easternmost > best.gap)
      best = { gap: west - easternmost, span: [west, easternmost] };
    easternmost = Math.max(easternmost, east);
  }
  const [west, east] = best.span;
  if (best.span === plain) return plain;
  // 180 and -180 are the same meridian. Without this line, the last statement would return a range around the globe.
  if (west >= 180 - TOUCH && east <= -180 + TOUCH) return [west, west];
  // A west of 180 becomes -180, an east of -180 becomes 180.
  return [west >= 180 - TOUCH ? -180 : west, east <= -180 + TOUCH ? 180 : east];
}
