import { bboxOf, joinBboxes, withoutHeights } from '../geometry/bbox.ts';
import type { Bbox, GeometryLike } from '../geometry/types.ts';
import { isList } from '../json.ts';
import type { Report } from './report.ts';

/**
 * Greatest allowed difference between a bbox and the bounds of the geometry, degrees: half a unit of the sixth
 * decimal, about 5 cm.
 */
const TOLERANCE = 5e-7;

/** Checks an Item's bbox: numbers in range, and equal to the bounds of a valid geometry. */
export function checkItemBbox(report: Report, value: unknown, geometry: GeometryLike | undefined): void {
  const box = checkBox(report, '/bbox', value);
  if (box === undefined || geometry === undefined) return;
  const bounds = bboxOf(geometry);
  if (!matchesBounds(box, bounds)) {
    report.add('/bbox', {
      rule: 'bbox.matches-geometry',
      got: value,
      expected: JSON.stringify(bounds),
      fix: 'compute it from the geometry, do not copy it',
      source: 'spec',
    });
  }
}

/** True for four numbers, if each differs from its bound by at most `TOLERANCE`, the greatest error of rounding to six decimals. */
export function matchesBounds(value: unknown, bounds: Bbox): boolean {
  return (
    isList(value) &&
    value.length === bounds.length &&
    value.every(Number.isFinite) &&
    bounds.every((bound, index) => Math.abs(bound - Number(value[index])) <= TOLERANCE)
  );
}

/**
 * True if the outer box contains the inner box, also across the antimeridian: the box around both boxes is then equal
 * to the outer box.
 */
export function containsBox(outer: Bbox, inner: Bbox): boolean {
  return matchesBounds(outer, joinBboxes([outer, inner]));
}

/** Checks that an Item without a place (geometry null, which STAC allows) has no bbox. */
export function checkNoBbox(report: Report, value: unknown): void {
  if (value === undefined) return;
  report.add('/bbox', {
    rule: 'bbox.of-nothing',
    got: value,
    expected: 'no bbox, because geometry is null',
    fix: 'leave it out, or add the geometry',
    source: 'stac',
  });
}

/**
 * Checks one `[west, south, east, north]`; west > east is a box across the antimeridian. STAC also allows heights,
 * but the interface specification does not. If the box is valid, returns it without heights.
 */
export function checkBox(report: Report, pointer: string, value: unknown): Bbox | undefined {
  const source = report.isHeadwater ? 'spec' : 'stac';
  const isBox = isList(value) && (value.length === 4 || (value.length === 6 && !report.isHeadwater));
  if (!isBox || !value.every(Number.isFinite)) {
    report.add(pointer, {
      rule: 'bbox.shape',
      got: value,
      expected: report.isHeadwater
        ? '[west, south, east, north], 4 numbers'
        : '[west, south, east, north], 4 numbers, or 6 with heights',
      fix: report.isHeadwater ? 'leave heights out; write degrees' : 'write degrees',
      source,
    });
    return undefined;
  }
  const [west = 0, south = 0, east = 0, north = 0] = withoutHeights(value as readonly number[]);
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (!inRange || south > north) {
    report.add(pointer, {
      rule: 'bbox.range',
      got: value,
      expected: 'longitudes -180 to 180, latitudes -90 to 90, south <= north',
      fix: 'check axis order and CRS',
      source,
    });
    return undefined;
  }
  return [west, south, east, north];
}
