import type { MultiPolygon, Polygon, Position } from 'geojson';

/** Radius (m) of the sphere with the area of the WGS 84 ellipsoid (authalic sphere). */
const AUTHALIC_RADIUS_M = 6_371_007.181;
const RADIANS = Math.PI / 180;
const M2_PER_HA = 10_000;

/**
 * Returns the area (ha) of a lon/lat polygon on the authalic sphere. At 22 degrees north, this is 0.2-0.3 % more than
 * the area on the ellipsoid.
 */
export function sphericalAreaHa(geometry: Polygon | MultiPolygon): number {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const steradians = polygons.reduce((sum, rings) => sum + polygonExcess(rings), 0);
  return (steradians * AUTHALIC_RADIUS_M ** 2) / M2_PER_HA;
}

/** Area of a polygon without its holes, steradians. */
function polygonExcess([exterior = [], ...holes]: readonly (readonly Position[])[]): number {
  return holes.reduce((sum, hole) => sum - Math.abs(ringExcess(hole)), Math.abs(ringExcess(exterior)));
}

/** Steradians: sum of the signed areas between the edges and the equator. */
function ringExcess(ring: readonly Position[]): number {
  let sum = 0;
  ring.forEach(([lonA = 0, latA = 0], index) => {
    const [lonB = 0, latB = 0] = ring[(index + 1) % ring.length] ?? [];
    sum += edgeExcess([lonA, latA], [lonB, latB]);
  });
  return sum;
}

/**
 * Area E between an edge and the equator: tan(E/2) = tan(dlon/2) (tan(lat1/2) + tan(lat2/2)) / (1 + tan(lat1/2)
 * tan(lat2/2)) (Todhunter & Leathem, Spherical Trigonometry, 1901, art. 103).
 */
function edgeExcess([lonA, latA]: readonly [number, number], [lonB, latB]: readonly [number, number]): number {
  const difference = (lonB - lonA) % 360;
  const dlon = difference > 180 ? difference - 360 : difference < -180 ? difference + 360 : difference;
  const a = Math.tan((latA * RADIANS) / 2);
  const b = Math.tan((latB * RADIANS) / 2);
  return 2 * Math.atan2(Math.tan((dlon * RADIANS) / 2) * (a + b), 1 + a * b);
}
