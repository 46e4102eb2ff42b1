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
 * it. Where rings run both ways and a hole has no outer ring around it, the directions are wrong: then what lies in what decides.
 */
export function nestedRings(rings: readonly Position[][]): Position[][][] {
  const outer = rings.filter((ring) => signedArea(ring) <= 0);
  // Of rings that all run the same way each is land, as GDAL reads them.
  if (outer.length === 0 || outer.length === rings.length) return rings.map((ring) => [ring]);
  const isOuter = new Set(outer);
  return assigned(rings, isOuter) ?? assigned(rings, byDepth(rings)) ?? rings.map((ring) => [ring]);
}

/** Outer rings with their holes; undefined where a hole lies in none. */
function assigned(rings: readonly Position[][], isOuter: ReadonlySet<Position[]>): Position[][][] | undefined {
  const polygons = new Map([...isOuter].map((ring) => [ring, [ring]]));
  const outer = bySize([...isOuter]);
  for (const hole of rings) {
    if (isOuter.has(hole)) continue;
    const [around] = ringsAround(measured(hole), outer);
    if (around === undefined) return undefined;
    polygons.get(around.ring)?.push(hole);
  }
  return [...polygons.values()];
}

/** The rings that lie in no other one, or in an even number of others. */
function byDepth(rings: readonly Position[][]): ReadonlySet<Position[]> {
  const sorted = bySize(rings);
  const isEven = new Map(sorted.map((each) => [each.ring, [...ringsAround(each, sorted)].length % 2 === 0]));
  return new Set(rings.filter((ring) => isEven.get(ring) === true));
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

const bySize = (rings: readonly Position[][]): readonly Measured[] =>
  rings.map(measured).sort((a, b) => a.area - b.area);

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
