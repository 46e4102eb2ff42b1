import { signedArea } from './rings.ts';
import { mapPositions } from './positions.ts';
import type { GeometryLike, PositionLike } from './types.ts';

/**
 * Decimal places of a degree in an Item. The last place is at most 1.1 cm, which is finer than all pixels and
 * boundaries of Headwater (RFC 7946, section 11.2).
 */
const DIGITS = 7;

const SCALE = 10 ** DIGITS;

/** Rounds degrees; adding 0 turns -0 into 0. */
const roundDegrees = (value: number): number => Math.round(value * SCALE) / SCALE + 0;

/**
 * A valid geometry rounded to the precision of an Item, so that geometries that differ only by rounding errors get the same bytes. A hole
 * that has no area after rounding is removed. A polygon is removed if its exterior has no area after rounding. If no polygon would remain,
 * the geometry is returned unrounded.
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
