import { normalizeLongitude, splitAtAntimeridian, splitLine, unwrapRing } from '../geometry/antimeridian.ts';
import { bboxOf, withoutHeights } from '../geometry/bbox.ts';
import { mapPositions, pathsOf } from '../geometry/positions.ts';
import { isClosed, signedArea } from '../geometry/rings.ts';
import type { GeometryLike, PositionLike } from '../geometry/types.ts';
import { isList } from '../json.ts';
import { checkBox, containsBox, matchesBounds } from '../validate/bbox.ts';
import { checkGeometry } from '../validate/geometry.ts';
import { Report } from '../validate/report.ts';
import { isValidAsDrawn } from './as-drawn.ts';
import type { Draft, Path } from './draft.ts';

const COORDINATES: Path = ['geometry', 'coordinates'];

/** Repairs the geometry and bbox of an Item. If coordinates are outside of the Earth, only heights are removed. */
export function repairGeometry(draft: Draft): void {
  if (validGeometry(draft) === undefined) return;
  dropHeights(draft);
  const geometry = validGeometry(draft);
  if (geometry === undefined || !isOnEarth(geometry)) return;
  const isDrawn = isMeantAsDrawn(geometry, draft.read(['bbox']));
  repairRings(draft, geometry, isDrawn);
  // The repair may have made the rings valid as drawn, so `isDrawnNow` checks again. Without this check, a second
  // repair would change the document.
  if (isDrawn || isDrawnNow(draft) || splitParts(draft)) repairBoxes(draft);
}

/**
 * True if the geometry is meant as drawn, without edges over the antimeridian: the bbox contains it, or its polygons
 * are valid as drawn. False if the bbox crosses the antimeridian.
 */
function isMeantAsDrawn(geometry: GeometryLike, itemBbox: unknown): boolean {
  const unused = new Report({});
  const bounds = checkBox(unused, '', bboxOf(geometry));
  if (bounds === undefined) return false;
  const bbox = checkBox(unused, '', isList(itemBbox) ? withoutHeights(itemBbox) : itemBbox);
  if (bbox !== undefined) {
    const [west, , east] = bbox;
    if (west > east) return false;
    if (east - west < 360 && containsBox(bbox, bounds)) return true;
  }
  const polygons = polygonsOf(geometry);
  return polygons?.every(isValidAsDrawn) ?? false;
}

function isDrawnNow(draft: Draft): boolean {
  const geometry = validGeometry(draft);
  return geometry !== undefined && isMeantAsDrawn(geometry, draft.read(['bbox']));
}

function validGeometry(draft: Draft): GeometryLike | undefined {
  return checkGeometry(new Report({}), '/geometry', draft.read(['geometry']));
}

function dropHeights(draft: Draft): void {
  const geometry = validGeometry(draft);
  if (geometry === undefined || pathsOf(geometry).every((path) => path.every((position) => position.length === 2)))
    return;
  draft.write(COORDINATES, 'geometry.heights', mapPositions(geometry, (position) => position.slice(0, 2)).coordinates);
}

/** Largest longitude, degrees: one turn (360) beyond 180. Larger values are probably not degrees. */
const MOST_LONGITUDE = 540;

function isOnEarth(geometry: GeometryLike): boolean {
  return pathsOf(geometry).every((path) =>
    path.every(([lon = NaN, lat = NaN]) => Math.abs(lon) <= MOST_LONGITUDE && Math.abs(lat) <= 90),
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

interface RingInput {
  readonly ring: readonly PositionLike[];
  readonly isHole: boolean;
  readonly isDrawn: boolean;
}

/** Closes and orients a ring. Rings without area or round a pole are not reversed. */
function repairRing(draft: Draft, path: Path, { ring, isHole, isDrawn }: RingInput): void {
  const [first] = ring;
  if (first === undefined || ring.length < 3) return;
  const closed = isClosed(ring) ? ring : [...ring, first];
  if (closed !== ring) draft.write(path, 'geometry.ring-closed', closed);
  const area = signedArea((isDrawn ? closed : unwrapRing(closed)) ?? []);
  if (area !== 0 && area > 0 === isHole) draft.write(path, 'geometry.ring-orientation', closed.toReversed());
}

/**
 * Cuts the parts at the antimeridian. False if a part cannot be cut; then the bounds are unknown, and the bbox is not
 * repaired.
 */
function splitParts(draft: Draft): boolean {
  const geometry = validGeometry(draft);
  if (geometry === undefined) return false;
  const polygons = polygonsOf(geometry);
  if (polygons !== undefined) return splitPolygons(draft, geometry, polygons);
  if (geometry.type === 'LineString') splitLines(draft, geometry, [geometry.coordinates]);
  else if (geometry.type === 'MultiLineString') splitLines(draft, geometry, geometry.coordinates);
  else if (
    pathsOf(geometry)
      .flat()
      .some((position) => normalizeLongitude(position) !== position)
  )
    draft.write(['geometry'], 'geometry.antimeridian', mapPositions(geometry, normalizeLongitude));
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

/** Repairs the bbox of the Item, and removes a wrong `bbox` of the geometry. */
function repairBoxes(draft: Draft): void {
  const geometry = validGeometry(draft);
  if (geometry === undefined) return;
  const bounds = bboxOf(geometry);
  const own = draft.read(['geometry', 'bbox']);
  if (own !== undefined && !matchesBounds(own, bounds)) draft.write(['geometry', 'bbox'], 'geometry.bbox', undefined);
  if (!matchesBounds(draft.read(['bbox']), bounds)) draft.write(['bbox'], 'bbox.matches-geometry', bounds);
}
