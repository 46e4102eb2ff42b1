import { signedArea } from './rings.ts';
import { mapPositions } from './positions.ts';
import type { GeometryLike, PositionLike } from './types.ts';

/** Digits after the point of a degree in an Item: 1.1 cm at most, finer than any pixel or boundary here (RFC 7946, section 11.2). */
const DIGITS = 7;

const SCALE = 10 ** DIGITS;

/** Adding 0 makes -0 a 0. */
const roundDegrees = (value: number): number => Math.round(value * SCALE) / SCALE + 0;

/**
 * A sound geometry at the precision of an Item, so that arithmetic's last digits change no byte. Rings that enclose nothing
 * at that precision are dropped: a hole alone, an exterior with its polygon; where all would go the geometry stays as it is.
 */
export function rounded(geometry: GeometryLike): GeometryLike {
  const short = mapPositions(geometry, (position) => position.map(roundDegrees));
  if (short.type === 'Polygon') {
    const [kept] = keptPolygons([short.coordinates]);
    return kept === undefined ? geometry : { type: 'Polygon', coordinates: kept };
  }
  if (short.type !== 'MultiPolygon') return short;
  const kept = keptPolygons(short.coordinates);
  return kept.length === 0 ? geometry : { type: 'MultiPolygon', coordinates: kept };
}

type Rings = readonly (readonly PositionLike[])[];

function keptPolygons(polygons: readonly Rings[]): readonly Rings[] {
  return polygons.flatMap(([exterior, ...holes]) =>
    exterior === undefined || signedArea(exterior) === 0
      ? []
      : [[exterior, ...holes.filter((hole) => signedArea(hole) !== 0)]],
  );
}
