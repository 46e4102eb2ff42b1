import { crossingEdges, positionsOutside } from '../geometry/crossings.ts';
import { isClosed, signedArea } from '../geometry/rings.ts';
import type { GeometryLike } from '../geometry/types.ts';
import { isList, isObject } from '../json.ts';
import { at, type Report } from './report.ts';

const SOURCE = 'rfc7946';

/** Nesting depth of coordinates by geometry type; 0 is one position. */
export const DEPTH: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 1,
  MultiLineString: 2,
  Polygon: 2,
  MultiPolygon: 3,
};

/** Minimum number of positions in the innermost list. */
export const LEAST: Readonly<Record<string, number>> = {
  Point: 0,
  MultiPoint: 1,
  LineString: 2,
  MultiLineString: 2,
  Polygon: 4,
  MultiPolygon: 4,
};

/**
 * Checks a geometry, and returns it if no part is empty and each position has two or three numbers. Each rule reports
 * at most one finding per ring.
 */
export function checkGeometry(report: Report, pointer: string, value: unknown): GeometryLike | undefined {
  const type = isObject(value) ? value['type'] : undefined;
  if (!isObject(value) || typeof type !== 'string' || !Object.hasOwn(DEPTH, type)) {
    report.add(pointer, {
      rule: 'geometry.type',
      got: type === undefined ? value : type,
      expected: `a GeoJSON geometry: ${Object.keys(DEPTH).join(', ')}`,
      fix:
        type === 'GeometryCollection'
          ? 'use one Multi* geometry; STAC forbids collections'
          : 'write the extent of the layer as a geometry',
      source: 'spec',
    });
    return undefined;
  }
  checkOwnBbox(report, pointer, value['bbox']);
  const before = report.findings.length;
  walk({ report, type }, at(pointer, 'coordinates'), { node: value['coordinates'], depth: DEPTH[type] ?? 0, index: 0 });
  const broken = report.findings
    .slice(before)
    .some((finding) => finding.rule === 'geometry.position' || finding.rule === 'geometry.empty');
  return broken ? undefined : (value as unknown as GeometryLike);
}

/** True if a geometry's `bbox` is absent or has at least four numbers. */
export function isOwnBbox(bbox: unknown): boolean {
  return bbox === undefined || (isList(bbox) && bbox.length >= 4 && bbox.every(Number.isFinite));
}

function checkOwnBbox(report: Report, pointer: string, bbox: unknown): void {
  if (!isOwnBbox(bbox)) {
    report.add(at(pointer, 'bbox'), {
      rule: 'geometry.bbox',
      got: bbox,
      expected: '4 numbers or more',
      fix: 'leave it out: the Item has its own bbox',
      source: SOURCE,
    });
  }
}

interface Walk {
  readonly report: Report;
  readonly type: string;
}

interface Node {
  readonly node: unknown;
  readonly depth: number;
  readonly index: number;
}

function walk(context: Walk, pointer: string, { node, depth, index }: Node): void {
  const { report, type } = context;
  if (depth === 0) {
    checkPositions(report, pointer, [node]);
    return;
  }
  if (!isList(node) || node.length === 0) {
    report.add(pointer, {
      rule: 'geometry.empty',
      got: node,
      expected: 'a list that is not empty',
      fix: 'remove the empty part, or write the extent of the layer',
      source: SOURCE,
    });
    return;
  }
  if (depth > 1) {
    node.forEach((child, i) => {
      walk(context, at(pointer, i), { node: child, depth: depth - 1, index: i });
    });
    if (depth === 2 && LEAST[type] === 4) checkHoles(report, pointer, node);
    return;
  }
  const isValid = checkPositions(report, pointer, node);
  const least = LEAST[type] ?? 1;
  if (node.length < least) {
    report.add(pointer, {
      rule: 'geometry.too-few',
      got: node.length,
      expected: `${String(least)} positions or more`,
      fix: 'remove the degenerate part',
      source: SOURCE,
    });
  } else if (isValid && least === 4)
    checkRing(report, pointer, { ring: node as readonly (readonly number[])[], isHole: index > 0 });
}

function checkPositions(report: Report, pointer: string, positions: readonly unknown[]): boolean {
  const firstInvalid = positions.findIndex((position) => !isPosition(position));
  const firstUnreadable =
    firstInvalid < 0 ? firstInvalid : positions.findIndex((position) => !isLongPosition(position));
  const broken = firstUnreadable < 0 ? firstInvalid : firstUnreadable;
  const here = (index: number): string => (positions.length === 1 ? pointer : at(pointer, index));
  if (broken >= 0) {
    report.add(here(broken), {
      rule: 'geometry.position',
      // In the profile `stac`, more than three numbers are only a warning: RFC 7946 advises against them, but programs
      // ignore the additional numbers.
      severity: firstUnreadable >= 0 || report.isHeadwater ? 'error' : 'warning',
      got: positions[broken],
      expected: '[longitude, latitude] as numbers',
      fix: 'repair the coordinates',
      source: SOURCE,
    });
    return false;
  }
  const outside = (positions as readonly (readonly [number, number])[]).findIndex(
    ([lon, lat]) => Math.abs(lon) > 180 || Math.abs(lat) > 90,
  );
  if (outside >= 0) {
    report.add(here(outside), {
      rule: 'geometry.range',
      got: positions[outside],
      expected: 'longitude -180 to 180, latitude -90 to 90',
      fix: 'write degrees of EPSG:4326, longitude first, and cut the geometry at the antimeridian',
      source: SOURCE,
    });
  }
  return true;
}

function isPosition(value: unknown): boolean {
  return isList(value) && (value.length === 2 || value.length === 3) && value.every(Number.isFinite);
}

function isLongPosition(value: unknown): boolean {
  return isList(value) && value.length >= 2 && value.every(Number.isFinite);
}

function checkRing(
  report: Report,
  pointer: string,
  { ring, isHole }: { readonly ring: readonly (readonly number[])[]; readonly isHole: boolean },
): void {
  if (!isClosed(ring)) {
    report.add(pointer, {
      rule: 'geometry.ring-closed',
      got: ring.at(-1),
      expected: `the first position again: ${JSON.stringify(ring[0])}`,
      fix: 'close the ring',
      source: SOURCE,
    });
    return;
  }
  const area = signedArea(ring);
  const crossing = crossingEdges(ring);
  if (crossing !== undefined) {
    report.add(pointer, {
      rule: 'geometry.self-intersection',
      // Crossing edges are an error only if the ring has no area, because its inside is then ambiguous.
      severity: area === 0 ? 'error' : 'warning',
      got: `edges ${crossing.join(' and ')} cross`,
      expected: 'a ring that does not cross itself',
      fix: 'write its positions in the order of the outline, or split it into a MultiPolygon',
      source: SOURCE,
    });
  }
  if (area === 0) {
    if (crossing !== undefined) return;
    report.add(pointer, {
      rule: 'geometry.ring-area',
      got: 0,
      expected: 'a ring that encloses an area',
      fix: 'remove the degenerate ring',
      source: SOURCE,
    });
  } else if (area > 0 === isHole) {
    report.add(pointer, {
      rule: 'geometry.ring-orientation',
      got: area > 0 ? 'counter-clockwise' : 'clockwise',
      expected: isHole ? 'hole clockwise' : 'exterior counter-clockwise',
      fix: 'reverse the ring',
      source: SOURCE,
    });
  }
}

/** Checks that holes are within the exterior, which is the first ring. */
function checkHoles(report: Report, pointer: string, rings: readonly unknown[]): void {
  const [exterior, ...holes] = rings;
  if (holes.length === 0 || !isRing(exterior)) return;
  const outside = positionsOutside(
    holes.map((hole) => (isRing(hole) ? hole : [])),
    exterior,
  );
  for (const [index, position] of outside.entries()) {
    if (position === undefined) continue;
    report.add(at(pointer, index + 1), {
      rule: 'geometry.hole-outside',
      severity: 'warning',
      got: `${JSON.stringify(position)} outside of the exterior`,
      expected: 'holes inside of the first ring',
      fix: 'make the hole another polygon of a MultiPolygon, or remove it',
      source: SOURCE,
    });
  }
}

const isRing = (value: unknown): value is readonly (readonly number[])[] =>
  isList(value) && value.length >= 4 && value.every(isPosition);
