import { unwrapRing } from './antimeridian.ts';
import { isClosed, signedArea } from './rings.ts';
import type { GeometryLike, PositionLike } from './types.ts';

/**
 * True if an exterior is counter-clockwise only when read across the antimeridian. If this exterior were reversed, it
 * would enclose the rest of the Earth.
 */
export function jumpsAntimeridian(geometry: GeometryLike): boolean {
  return exteriorsOf(geometry).some((ring) => {
    const [first] = ring;
    if (first === undefined) return false;
    const closed = isClosed(ring) ? ring : [...ring, first];
    const isBeyond = ([lon = 0]: PositionLike): boolean => Math.abs(lon) > 180;
    const unwrapped = signedArea(closed) < 0 && !closed.some(isBeyond) ? unwrapRing(closed) : undefined;
    return unwrapped !== undefined && unwrapped.some(isBeyond) && signedArea(unwrapped) > 0;
  });
}

function exteriorsOf(geometry: GeometryLike): readonly (readonly PositionLike[])[] {
  if (geometry.type === 'Polygon') return geometry.coordinates.slice(0, 1);
  return geometry.type === 'MultiPolygon' ? geometry.coordinates.flatMap((rings) => rings.slice(0, 1)) : [];
}
