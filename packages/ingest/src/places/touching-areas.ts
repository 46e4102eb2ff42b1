import { bboxOf } from '@headwater/stac';
import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BadPlaceFile, type Report, usable } from './bad-place-file.ts';
import { contains } from './ring-lobes.ts';

/** Length of a degree of the equator on WGS 84, km: 2 pi x 6378.137 km / 360. */
const KM_A_DEGREE = 111.32;

type Geometry = Polygon | MultiPolygon;
type Box = readonly [west: number, south: number, east: number, north: number];

/** Boundary that areas must touch, and the report for areas that do not. */
export interface TouchCheck<T> {
  /** Null if the tehsil has no boundary; every area is then accepted. */
  readonly boundary: Geometry | null;
  /** Name in messages: `micro-watershed 12_100174`. */
  readonly nameOf: (area: T) => string;
  readonly report: Report;
}

/**
 * Areas that touch the tehsil; others are reported with their distance. An area whose box touches the boundary counts,
 * because surveys differ slightly. Throws `BadPlaceFile` if no area touches.
 */
export function touchingAreas<T extends { readonly geometry: Geometry }>(
  areas: readonly T[],
  { boundary, nameOf, report }: TouchCheck<T>,
): readonly T[] {
  const outside = outsideOf(boundary);
  const check = (area: T): T => {
    const problem = outside(area.geometry);
    if (problem === undefined) return area;
    throw new BadPlaceFile(`${nameOf(area)}: it ${problem}`);
  };
  return usable(areas, check, report);
}

/**
 * Creates a check of areas against a boundary. The check returns undefined if the area touches the boundary, otherwise
 * the problem with distance and remedy.
 */
export function outsideOf(boundary: Geometry | null): (area: Geometry) => string | undefined {
  if (boundary === null) return () => undefined;
  const rings = ringsOf(boundary);
  const chains = rings.flatMap(chainsOf);
  return (area) => {
    const [first] = ringsOf(area);
    const box = bboxOf(area);
    if (isCrossed(box, chains) || isWithin(first?.[0] ?? [], chains)) return undefined;
    return `lies ${distanceText(box, rings)} outside of the tehsil's boundary; correct its coordinates, or move it to its own tehsil`;
  };
}

const ringsOf = (geometry: Geometry): readonly Position[][] =>
  geometry.type === 'Polygon' ? geometry.coordinates : geometry.coordinates.flat();

/** Consecutive sides of a ring (a chain). A chain is skipped if its box does not touch the area. */
interface Chain {
  readonly positions: readonly Position[];
  readonly box: Box;
}
const SIDES = 64;

function chainsOf(ring: readonly Position[]): readonly Chain[] {
  return Array.from({ length: Math.ceil((ring.length - 1) / SIDES) }, (_, i) => {
    const positions = ring.slice(i * SIDES, (i + 1) * SIDES + 1);
    return { positions, box: bboxOf({ type: 'LineString', coordinates: positions }) };
  });
}

const isCrossed = (box: Box, chains: readonly Chain[]): boolean =>
  chains.some(
    (chain) =>
      meet(chain.box, box) &&
      chain.positions.some(([bx = 0, by = 0], i) => {
        const [ax = bx, ay = by] = chain.positions[i - 1] ?? [];
        return meet([Math.min(ax, bx), Math.min(ay, by), Math.max(ax, bx), Math.max(ay, by)], box);
      }),
  );

const meet = (a: Box, b: Box): boolean => a[0] <= b[2] && a[2] >= b[0] && a[1] <= b[3] && a[3] >= b[1];

function isWithin(position: Position, chains: readonly Chain[]): boolean {
  const [, lat = Number.NaN] = position;
  const atItsLatitude = chains.filter(({ box: [, south, , north] }) => south <= lat && lat <= north);
  return atItsLatitude.filter(({ positions }) => contains(positions, position)).length % 2 === 1;
}

function distanceText([west, south, east, north]: Box, rings: readonly Position[][]): string {
  const narrowed = Math.cos(((south + north) * Math.PI) / 360);
  const plane = ([lon = 0, lat = 0]: Position): Point => [lon * narrowed, lat];
  const corners = [plane([west, south]), plane([east, south]), plane([east, north]), plane([west, north])];
  const sides = corners.map((corner, i): Side => [corner, corners[(i + 1) % corners.length] ?? corner]);
  let least = Infinity;
  for (const ring of rings) {
    let before: Point | undefined;
    for (const position of ring) {
      const point = plane(position);
      for (const side of sides) least = Math.min(least, distance(point, side));
      for (const corner of corners)
        if (before !== undefined) least = Math.min(least, distance(corner, [before, point]));
      before = point;
    }
  }
  const km = least * KM_A_DEGREE;
  return km < 1 ? 'less than 1 km' : `about ${Math.round(km)} km`;
}

type Point = readonly [x: number, y: number];
type Side = readonly [from: Point, to: Point];

function distance([x, y]: Point, [[ax, ay], [bx, by]]: Side): number {
  const squared = (bx - ax) ** 2 + (by - ay) ** 2;
  const along = squared === 0 ? 0 : ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / squared;
  const share = Math.min(1, Math.max(0, along));
  return Math.hypot(x - ax - share * (bx - ax), y - ay - share * (by - ay));
}
