import { signedArea } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { Box } from './grid.ts';
import type { Mws, Village } from '../ports/places.ts';

/** An area on the map, lon/lat. */
export type Outline = Polygon | MultiPolygon;

/** Joins the coordinates of outlines into the coordinates of one MultiPolygon. */
export const multiCoordinates = (geometries: readonly Outline[]): MultiPolygon['coordinates'] =>
  geometries.flatMap((g) => (g.type === 'Polygon' ? [g.coordinates] : g.coordinates));

/** Lon/lat bounding box of the outer rings of outlines. */
export function boxOf(geometries: readonly Outline[]): Box {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [lon = NaN, lat = NaN] of multiCoordinates(geometries).flatMap((polygon) => polygon[0] ?? [])) {
    if (lon < west) west = lon;
    if (lon > east) east = lon;
    if (lat < south) south = lat;
    if (lat > north) north = lat;
  }
  return [west, south, east, north];
}

/** A lon/lat box as a rectangle, counter-clockwise. */
export const boxPolygon = ([w, s, e, n]: Box): Polygon => ({
  type: 'Polygon',
  coordinates: [
    [
      [w, s],
      [e, s],
      [e, n],
      [w, n],
      [w, s],
    ],
  ],
});

/** Outlines as one MultiPolygon with the ring directions that RFC 7946 requires: outer rings counter-clockwise, holes clockwise. */
export const featureGeometry = (...geometries: readonly Outline[]): MultiPolygon => ({
  type: 'MultiPolygon',
  coordinates: multiCoordinates(geometries).map(windRings),
});

/** The rings of a polygon in the directions of RFC 7946 (3.1.6): the outer ring counter-clockwise, holes clockwise. */
export const windRings = (rings: readonly Position[][]): Position[][] =>
  rings.map((ring, index) => (signedArea(ring) > 0 === (index === 0) ? ring : ring.toReversed()));

/** A micro-watershed as a feature. The only property is `uid`, the key that joins tables to the feature. */
export const mwsOutline = ({ uid, geometry }: Pick<Mws, 'uid' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { uid },
  geometry: featureGeometry(geometry),
});

/** A village as a feature. The only properties are the keys that join tables to the feature; `vill_ID` 0 = no census code. */
export const villageOutline = ({ id, name, geometry }: Pick<Village, 'id' | 'name' | 'geometry'>) => ({
  type: 'Feature' as const,
  properties: { vill_ID: id, vill_name: name },
  geometry: featureGeometry(geometry),
});
