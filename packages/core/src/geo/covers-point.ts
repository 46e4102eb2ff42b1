import type { Position } from 'geojson';
import type { LonLat } from '../ports/lookups.ts';
import { multiCoordinates, type Outline } from './outlines.ts';

/**
 * Returns true if a point is in an area or on its border. Edges are straight in degrees, as for `ST_Covers` of PostGIS.
 */
export function coversPoint(area: Outline, point: LonLat): boolean {
  return multiCoordinates([area]).some(([outer = [], ...holes]) => {
    const place = placeIn(outer, point);
    if (place !== 'inside') return place === 'border';
    return holes.every((hole) => placeIn(hole, point) !== 'inside');
  });
}

/** Place of a point: a ray to the east from a point inside the ring crosses the ring an odd number of times. */
function placeIn(ring: readonly Position[], { longitude, latitude }: LonLat): 'inside' | 'border' | 'outside' {
  let inside = false;
  for (let i = 1; i < ring.length; i++) {
    const [ax = NaN, ay = NaN] = ring[i - 1] ?? [];
    const [bx = NaN, by = NaN] = ring[i] ?? [];
    const side = (longitude - ax) * (by - ay) - (bx - ax) * (latitude - ay);
    if (side === 0 && isBetween(longitude, ax, bx) && isBetween(latitude, ay, by)) return 'border';
    // An edge includes only its lower end, so that a corner between two edges counts once.
    const rises = ay <= latitude && latitude < by;
    const falls = by <= latitude && latitude < ay;
    if ((rises && side < 0) || (falls && side > 0)) inside = !inside;
  }
  return inside ? 'inside' : 'outside';
}

function isBetween(value: number, a: number, b: number): boolean {
  return Math.min(a, b) <= value && value <= Math.max(a, b);
}
