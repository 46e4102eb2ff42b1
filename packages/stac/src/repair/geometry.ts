import { ontoGlobe, splitAtAntimeridian, splitLine, unwrapRing } from '../geometry/antimeridian.ts';
import { bboxOf, withoutHeights } from '../geometry/bbox.ts';
import { mapPositions, pathsOf } from '../geometry/positions.ts';
import { isClosed, signedArea } from '../geometry/rings.ts';
import type { GeometryLike, PositionLike } from '../geometry/types.ts';
import { isList } from '../json.ts';
import { checkBox, holdsBox, matchesBounds } from '../validate/bbox.ts';
import { checkGeometry } from '../validate/geometry.ts';
import { Report } from '../validate/report.ts';
import { isSoundAsDrawn } from './as-drawn.ts';
import type { Draft, Path } from './draft.ts';

const COORDINATES: Path = ['geometry', 'coordinates'];

/**
 * Mends an Item's geometry, then its bbox. Coordinates that are not positions, or lie outside of the Earth (another CRS,
 * latitude first), stay as they are, and the bbox with them: nobody can tell what was meant.
 */
export function repairGeometry(draft: Draft): void {
  if (soundGeometry(draft) === undefined) return;
  dropHeights(draft);
  const geometry = soundGeometry(draft);
  if (geometry === undefined || !isOnEarth(geometry)) return;
  const isDrawn = isMeantAsDrawn(geometry, draft.read(['bbox']));
  repairRings(draft, geometry, isDrawn);
  // Asked again: rings that were just closed or turned may now be sound as they are drawn, as they would be next time.
  if (isDrawn || isDrawnNow(draft) || splitParts(draft)) repairBoxes(draft);
}

/**
 * True where all edges run as they are drawn, also those longer than 180 degrees. The Item's own bbox says so: such an edge
 * and the short way make up a full circle, so a sound box that goes not quite round holds one of the two only. Where it says
 * nothing (there is none, or it is wrong) the rings do, if they are sound as they are drawn.
 */
function isMeantAsDrawn(geometry: GeometryLike, given: unknown): boolean {
  const untold = new Report({});
  const bounds = checkBox(untold, '', bboxOf(geometry));
  if (bounds === undefined) return false;
  const bbox = checkBox(untold, '', isList(given) ? withoutHeights(given) : given);
  if (bbox !== undefined) {
    const [west, , east] = bbox;
    if (west > east) return false;
    if (east - west < 360 && holdsBox(bbox, bounds)) return true;
  }
  const polygons = polygonsOf(geometry);
  return polygons?.every(isSoundAsDrawn) ?? false;
}

function isDrawnNow(draft: Draft): boolean {
  const geometry = soundGeometry(draft);
  return geometry !== undefined && isMeantAsDrawn(geometry, draft.read(['bbox']));
}

function soundGeometry(draft: Draft): GeometryLike | undefined {
  return checkGeometry(new Report({}), '/geometry', draft.read(['geometry']));
}

function dropHeights(draft: Draft): void {
  const geometry = soundGeometry(draft);
  if (geometry === undefined || pathsOf(geometry).every((path) => path.every((position) => position.length === 2)))
    return;
  draft.write(COORDINATES, 'geometry.heights', mapPositions(geometry, (position) => position.slice(0, 2)).coordinates);
}

/** How far longitudes may run on: half a turn beyond the next one, so that what lies around 360 degrees is taken back. */
const REACH = 540;

function isOnEarth(geometry: GeometryLike): boolean {
  return pathsOf(geometry).every((path) =>
    path.every(([lon = NaN, lat = NaN]) => Math.abs(lon) <= REACH && Math.abs(lat) <= 90),
  );
}

function polygonsOf(geometry: GeometryLike): readonly (readonly (readonly PositionLike[])[])[] | undefined {
  if (geometry.type === 'Polygon') return [geometry.coordinates];
  return geometry.type === 'MultiPolygon' ? geometry.coordinates : undefined;
}

function repairRings(draft: Draft, geometry: GeometryLike, isDrawn: boolean): void {
  polygonsOf(geometry)?.forEach((rings, polygon) => {
    rings.forEach((ring, index) => {
      const here = geometry.type === 'Polygon' ? [index] : [polygon, index];
      repairRing(draft, [...COORDINATES, ...here], { ring, isHole: index > 0, isDrawn });
    });
  });
}

interface Given {
  readonly ring: readonly PositionLike[];
  readonly isHole: boolean;
  readonly isDrawn: boolean;
}

/**
 * Closes a ring, then turns it by the way that it goes: as drawn, or else the short way round the globe. One without
 * area, or round a pole, is not turned.
 */
function repairRing(draft: Draft, path: Path, { ring, isHole, isDrawn }: Given): void {
  const [first] = ring;
  if (first === undefined || ring.length < 3) return;
  const closed = isClosed(ring) ? ring : [...ring, first];
  if (closed !== ring) draft.write(path, 'geometry.ring-closed', closed);
  const area = signedArea((isDrawn ? closed : unwrapRing(closed)) ?? []);
  if (area !== 0 && area > 0 === isHole) draft.write(path, 'geometry.ring-orientation', closed.toReversed());
}

/** False where a part may go over the antimeridian but cannot be cut: its bounds are then not known. */
function splitParts(draft: Draft): boolean {
  const geometry = soundGeometry(draft);
  if (geometry === undefined) return false;
  const polygons = polygonsOf(geometry);
  if (polygons !== undefined) return splitPolygons(draft, geometry, polygons);
  if (geometry.type === 'LineString') splitLines(draft, geometry, [geometry.coordinates]);
  else if (geometry.type === 'MultiLineString') splitLines(draft, geometry, geometry.coordinates);
  else if (
    pathsOf(geometry)
      .flat()
      .some((position) => ontoGlobe(position) !== position)
  )
    draft.write(['geometry'], 'geometry.antimeridian', mapPositions(geometry, ontoGlobe));
  return true;
}

function splitLines(draft: Draft, geometry: GeometryLike, lines: readonly (readonly PositionLike[])[]): void {
  const coordinates = lines.flatMap(splitLine);
  if (coordinates.every((line, index) => line === lines[index])) return;
  const [only] = coordinates;
  const isOne = geometry.type === 'LineString' && coordinates.length === 1 && only !== undefined;
  draft.write(['geometry'], 'geometry.antimeridian', {
    ...geometry,
    ...(isOne ? { type: 'LineString', coordinates: only } : { type: 'MultiLineString', coordinates }),
  });
}

function splitPolygons(
  draft: Draft,
  geometry: GeometryLike,
  polygons: readonly (readonly (readonly PositionLike[])[])[],
): boolean {
  const parts = polygons.map(splitAtAntimeridian);
  const isWhole = parts.every((part) => part !== undefined);
  const coordinates = parts.flatMap((part, index) => part ?? polygons.slice(index, index + 1));
  if (coordinates.every((polygon, index) => polygon === polygons[index])) return isWhole;
  const [only] = coordinates;
  const split = geometry.type === 'Polygon' && coordinates.length === 1 && only !== undefined;
  draft.write(['geometry'], 'geometry.antimeridian', {
    ...geometry,
    ...(split ? { type: 'Polygon', coordinates: only } : { type: 'MultiPolygon', coordinates }),
  });
  return isWhole;
}

/** The Item's bbox is computed anew; one of the geometry's own is taken out when it is not the geometry's. */
function repairBoxes(draft: Draft): void {
  const geometry = soundGeometry(draft);
  if (geometry === undefined) return;
  const bounds = bboxOf(geometry);
  const own = draft.read(['geometry', 'bbox']);
  if (own !== undefined && !matchesBounds(own, bounds)) draft.write(['geometry', 'bbox'], 'geometry.bbox', undefined);
  if (!matchesBounds(draft.read(['bbox']), bounds)) draft.write(['bbox'], 'bbox.matches-geometry', bounds);
}
