import { bboxOf, joinBboxes, withoutHeights } from '../geometry/bbox.ts';
import type { Bbox, GeometryLike } from '../geometry/types.ts';
import { isList } from '../json.ts';
import type { Report } from './report.ts';

/** Allowed difference from the bounds, degrees: half a unit of the sixth decimal (about 5 cm). */
const TOLERANCE = 5e-7;

/** Checks that an Item's bbox equals the bounds of its geometry. */
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

/** True if four numbers differ from the bounds by at most `TOLERANCE`. */
export function matchesBounds(value: unknown, bounds: Bbox): boolean {
  return (
    isList(value) &&
    value.length === bounds.length &&
    value.every(Number.isFinite) &&
    bounds.every((bound, index) => Math.abs(bound - Number(value[index])) <= TOLERANCE)
  );
}

/** True if the outer box contains the inner box, also across the antimeridian. */
export function containsBox(outer: Bbox, inner: Bbox): boolean {
  return matchesBounds(outer, joinBboxes([outer, inner]));
}

/** Reports a bbox of an Item without geometry. */
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

/** Checks `[west, south, east, north]`; west > east crosses the antimeridian. Returns a valid box without heights. */
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
