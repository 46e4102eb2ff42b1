import { signedArea } from '@headwater/stac';
import type { Position } from 'geojson';
import { contains } from './ring-lobes.ts';

interface Measured {
  readonly ring: Position[];
  /** Twice the area. */
  readonly area: number;
  readonly west: number;
  readonly south: number;
  readonly east: number;
  readonly north: number;
  readonly inner: Position;
}

/**
 * Makes polygons from the rings of a Shapefile. Outer rings are clockwise; a counter-clockwise hole belongs to the
 * smallest outer ring around it. If a hole is in no outer ring, the directions in its nest (the outermost ring around
 * it with all rings inside) are wrong. The depth of each ring in this nest then decides (`outerByDepth`).
 */
export function nestedRings(rings: readonly Position[][]): Position[][][] {
  const isOuter = new Set(rings.filter((ring) => signedArea(ring) <= 0));
  // If all directions are equal, each ring is a polygon, as in GDAL.
  if (isOuter.size === 0 || isOuter.size === rings.length) return rings.map((ring) => [ring]);
  const allRings = rings.map(measured);
  const sorted = allRings.toSorted((a, b) => a.area - b.area);
  const byDirection = assigned(allRings, sorted, isOuter);
  if (byDirection.strays.size === 0) return byDirection.polygons;
  const { polygons, strays } = assigned(allRings, sorted, outerByDepth(sorted, isOuter, byDirection.strays));
  return [...polygons, ...[...strays].map((ring) => [ring])];
}

interface Assigned {
  /** Each outer ring with its holes. */
  readonly polygons: Position[][][];
  /** Holes without outer ring. */
  readonly strays: ReadonlySet<Position[]>;
}

function assigned(all: readonly Measured[], sorted: readonly Measured[], isOuter: ReadonlySet<Position[]>): Assigned {
  const polygons = new Map(all.filter(({ ring }) => isOuter.has(ring)).map(({ ring }) => [ring, [ring]]));
  const outer = sorted.filter(({ ring }) => isOuter.has(ring));
  const strays = new Set<Position[]>();
  for (const hole of all) {
    if (isOuter.has(hole.ring)) continue;
    const [around] = ringsAround(hole, outer);
    if (around === undefined) strays.add(hole.ring);
    else polygons.get(around.ring)?.push(hole.ring);
  }
  return { polygons: [...polygons.values()], strays };
}

/**
 * Finds the outer rings. A nest is an outermost ring with all rings inside. In a nest with a stray hole, a ring is an
 * outer ring if an even number of rings is around it.
 */
function outerByDepth(
  sorted: readonly Measured[],
  isOuter: ReadonlySet<Position[]>,
  strays: ReadonlySet<Position[]>,
): ReadonlySet<Position[]> {
  const nested = sorted.map((each) => {
    const around = [...ringsAround(each, sorted)];
    return { ring: each.ring, isEven: around.length % 2 === 0, outermost: around.at(-1)?.ring ?? each.ring };
  });
  const wrongNests = new Set(nested.filter(({ ring }) => strays.has(ring)).map(({ outermost }) => outermost));
  const found = nested.filter(({ ring, isEven, outermost }) =>
    wrongNests.has(outermost) ? isEven : isOuter.has(ring),
  );
  return new Set(found.map(({ ring }) => ring));
}

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
 * Point inside a ring: middle of the widest span at a latitude between two corners. A corner is not suitable, because
 * it may lie on another ring.
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
