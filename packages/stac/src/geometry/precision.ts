import { signedArea } from './rings.ts';
import { mapPositions } from './positions.ts';
import type { GeometryLike, PositionLike } from './types.ts';

/** Decimal places of degrees; the last is at most 1.1 cm (RFC 7946, section 11.2). */
const DIGITS = 7;

const SCALE = 10 ** DIGITS;

const roundDegrees = (value: number): number => Math.round(value * SCALE) / SCALE + 0;

/**
 * Rounds a valid geometry, and removes holes and polygons without area. Returns the unrounded geometry if no polygon
 * would remain.
 */
export function rounded(geometry: GeometryLike): GeometryLike {
  const short = mapPositions(geometry, (position) => position.map(roundDegrees));
  if (short.type === 'Polygon') {
    const [remaining] = remainingPolygons([short.coordinates]);
    return remaining === undefined ? geometry : { type: 'Polygon', coordinates: remaining };
  }
  if (short.type !== 'MultiPolygon') return short;
  const remaining = remainingPolygons(short.coordinates);
  return remaining.length === 0 ? geometry : { type: 'MultiPolygon', coordinates: remaining };
}

type Rings = readonly (readonly PositionLike[])[];

function remainingPolygons(polygons: readonly Rings[]): readonly Rings[] {
  return polygons.flatMap(([exterior, ...holes]) =>
    exterior === undefined || signedArea(exterior) === 0
      ? []
      : [[exterior, ...holes.filter((hole) => signedArea(hole) !== 0)]],
  );
}
