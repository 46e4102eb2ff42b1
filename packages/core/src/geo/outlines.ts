import { signedArea } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import type { Box } from './grid.ts';
import type { Village } from '../ports/places.ts';

/** An area on the map, lon/lat. */
export type Outline = Polygon | MultiPolygon;

/** Joins outlines into the coordinates of one MultiPolygon. */
export const multiCoordinates = (geometries: readonly Outline[]): MultiPolygon['coordinates'] =>
  geometries.flatMap((g) => (g.type === 'Polygon' ? [g.coordinates] : g.coordinates));

/** Returns the lon/lat bounding box of the outer rings of outlines. */
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

/** Returns a lon/lat box as a rectangle, counter-clockwise. */
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

/** Returns outlines as one MultiPolygon with the ring directions of RFC 7946. */
export const featureGeometry = (...geometries: readonly Outline[]): MultiPolygon => ({
  type: 'MultiPolygon',
  coordinates: multiCoordinates(geometries).map(windRings),
});

/** Returns rings in the directions of RFC 7946 (3.1.6): the outer ring counter-clockwise, holes clockwise. */
export const windRings = (rings: readonly Position[][]): Position[][] =>
  rings.map((ring, index) => (signedArea(ring) > 0 === (index === 0) ? ring : ring.toReversed()));

/** Returns the properties of a village's feature, on which tables are joined. `vill_ID` 0: no census code. */
export const villageProperties = ({ id, name }: Pick<Village, 'id' | 'name'>) => ({ vill_ID: id, vill_name: name });
