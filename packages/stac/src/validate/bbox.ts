import { bboxOf, joinBboxes } from '../geometry/bbox.ts';
import type { Bbox, GeometryLike } from '../geometry/types.ts';
import { isList } from '../json.ts';
import type { Report } from './report.ts';

/** Degrees by which a bbox may differ from the bounds: half a unit of the sixth decimal, about 5 cm. */
const TOLERANCE = 5e-7;

/** Checks an Item's bbox: four numbers in range, and equal to the bounds of the geometry where that is sound. */
export function checkItemBbox(report: Report, value: unknown, geometry: GeometryLike | undefined): void {
  if (!checkBox(report, '/bbox', value) || geometry === undefined) return;
  const bounds = bboxOf(geometry);
  if (!matchesBounds(value, bounds)) {
    report.add('/bbox', {
      rule: 'bbox.matches-geometry',
      got: value,
      expected: JSON.stringify(bounds),
      fix: 'compute it from the geometry; never copy it',
      source: 'spec',
    });
  }
}

/** True for four numbers that are the bounds given, but for a rounding to six decimals. */
export function matchesBounds(value: unknown, bounds: Bbox): boolean {
  return (
    isList(value) &&
    value.length === bounds.length &&
    value.every(Number.isFinite) &&
    bounds.every((bound, index) => Math.abs(bound - Number(value[index])) <= TOLERANCE)
  );
}

/** A box holds another when the box around both is itself: so the antimeridian needs no care here. */
export function holdsBox(outer: Bbox, inner: Bbox): boolean {
  return matchesBounds(outer, joinBboxes([outer, inner]));
}

/** Checks one `[west, south, east, north]`; west > east is a box across the antimeridian. True when it is sound. */
export function checkBox(report: Report, pointer: string, value: unknown): value is Bbox {
  const source = 'spec';
  if (!isList(value) || value.length !== 4 || !value.every(Number.isFinite)) {
    report.add(pointer, {
      rule: 'bbox.shape',
      got: value,
      expected: '[west, south, east, north], 4 numbers',
      fix: 'leave heights out; write degrees',
      source,
    });
    return false;
  }
  const [west = 0, south = 0, east = 0, north = 0] = value as readonly number[];
  const inRange = Math.abs(west) <= 180 && Math.abs(east) <= 180 && Math.abs(south) <= 90 && Math.abs(north) <= 90;
  if (!inRange || south > north) {
    report.add(pointer, {
      rule: 'bbox.range',
      got: value,
      expected: 'longitudes -180 to 180, latitudes -90 to 90, south <= north',
      fix: 'check axis order and CRS',
      source,
    });
    return false;
  }
  return true;
}
