import { signedArea } from '@headwater/stac';
import type { Position } from 'geojson';
import { contains } from './ring-lobes.ts';

/** A closed ring with what its place among others follows from. */
interface Measured {
  readonly ring: Position[];
  /** Twice its area. */
  readonly area: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly inner: Position;
}

/**
 * Polygons of the rings of a Shapefile: outer rings run clockwise, holes the other way, and a hole belongs to the smallest outer ring around
 * it. Where rings run both ways and a hole has no outer ring around it, the directions in its nest (the outermost ring around it, with all
 * within that) are wrong: there, what lies in what decides.
 */
export function nestedRings(rings: readonly Position[][]): Position[][][] {
  const isOuter = new Set(rings.filter((ring) => signedArea(ring) <= 0));
  // Of rings that all run the same way each is land, as GDAL reads them.
  if (isOuter.size === 0 || isOuter.size === rings.length) return rings.map((ring) => [ring]);
  const given = rings.map(measured);
  const sorted = given.toSorted((a, b) => a.area - b.area);
  const asTheyRun = assigned(given, sorted, isOuter);
  if (asTheyRun.strays.size === 0) return asTheyRun.polygons;
  const { polygons, strays } = assigned(given, sorted, outerByDepth(sorted, isOuter, asTheyRun.strays));
  return [...polygons, ...[...strays].map((ring) => [ring])];
}

interface Assigned {
  /** Outer rings with their holes. */
  readonly polygons: Position[][][];
  /** Holes that lie in no outer ring. */
  readonly strays: ReadonlySet<Position[]>;
}

function assigned(given: readonly Measured[], sorted: readonly Measured[], isOuter: ReadonlySet<Position[]>): Assigned {
  const polygons = new Map(given.filter(({ ring }) => isOuter.has(ring)).map(({ ring }) => [ring, [ring]]));
  const outer = sorted.filter(({ ring }) => isOuter.has(ring));
  const strays = new Set<Position[]>();
  for (const hole of given) {
    if (isOuter.has(hole.ring)) continue;
    const [around] = ringsAround(hole, outer);
    if (around === undefined) strays.add(hole.ring);
    else polygons.get(around.ring)?.push(hole.ring);
  }
  return { polygons: [...polygons.values()], strays };
}

/** Outer rings once more: in the nests of stray holes, those that lie in no other ring, or in an even number of others. */
function outerByDepth(
  sorted: readonly Measured[],
  isOuter: ReadonlySet<Position[]>,
  strays: ReadonlySet<Position[]>,
): ReadonlySet<Position[]> {
  const nested = sorted.map((each) => {
    const around = [...ringsAround(each, sorted)];
    return { ring: each.ring, isEven: around.length % 2 === 0, outermost: around.at(-1)?.ring ?? each.ring };
  });
  const turned = new Set(nested.filter(({ ring }) => strays.has(ring)).map(({ outermost }) => outermost));
  const found = nested.filter(({ ring, isEven, outermost }) => (turned.has(outermost) ? isEven : isOuter.has(ring)));
  return new Set(found.map(({ ring }) => ring));
}

/** Rings of `sorted` around another one, the smallest first. */
function* ringsAround(ring: Measured, sorted: readonly Measured[]): Generator<Measured> {
  const [x = 0, y = 0] = ring.inner;
  for (const other of sorted) {
    if (other.west > x || x > other.east || other.south > y || y > other.north) continue;
    if (other.area < ring.area || other.ring === ring.ring) continue;
    if (contains(other.ring, ring.inner)) yield other;
  }
}

function measured(ring: Position[]): Measured {
  let [west, south, east, north] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = 0, y = 0] of ring) {
    [west, east] = [Math.min(west, x), Math.max(east, x)];
    [south, north] = [Math.min(south, y), Math.max(north, y)];
  }
  return { ring, area: Math.abs(signedArea(ring)), west, south, east, north, inner: innerPoint(ring) };
}

/**
 * A point within a ring, on none of its sides: the middle of the widest span at a latitude between two corners. A corner of a ring may lie on
 * the ring around it, and then nothing follows from it.
 */
export function innerPoint(ring: readonly Position[]): Position {
  const ys = [...new Set(ring.map(([, y = 0]) => y))].sort((a, b) => a - b);
  let [y, gap] = [ys[0] ?? Number.NaN, 0];
  for (let i = 1; i < ys.length; i++) {
    const [below, above] = [ys[i - 1]!, ys[i]!];
    if (above - below > gap) [y, gap] = [(below + above) / 2, above - below];
  }
  const xs: number[] = [];
  for (let i = 1; i < ring.length; i++) {
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [ring[i - 1]!, ring[i]!];
    if (ay > y !== by > y) xs.push(ax + ((y - ay) / (by - ay)) * (bx - ax));
  }
  xs.sort((a, b) => a - b);
  let [x, width] = [Number.NaN, -1];
  for (let i = 1; i < xs.length; i += 2) {
    const [left, right] = [xs[i - 1]!, xs[i]!];
    if (right - left > width) [x, width] = [(left + right) / 2, right - left];
  }
  return [x, y];
}
