import type { Position } from 'geojson';

/** Positions of a ring without the closing position, together with the points where the ring meets itself. */
export interface RingNodes {
  readonly nodes: readonly Position[];
  /** True if two sides cross between their ends. */
  readonly crosses: boolean;
}

interface Side {
  readonly index: number;
  readonly from: Position;
  readonly to: Position;
}

const x = (p: Position): number => p[0] ?? Number.NaN;
const y = (p: Position): number => p[1] ?? Number.NaN;

/**
 * Finds the points where a closed ring meets itself. Compares only near sides, for speed, and ignores sides that
 * overlap along a line.
 */
export function ringNodes(ring: readonly Position[]): RingNodes {
  const sides = ring.slice(1).map((to, index): Side => ({ index, from: ring[index]!, to }));
  const added = new Map<number, Position[]>();
  let crosses = false;
  for (const [a, b] of nearSides(sides)) {
    const meeting = meet(a, b);
    if (meeting === undefined) continue;
    crosses ||= meeting.isCrossing;
    for (const { index } of meeting.on) added.set(index, [...(added.get(index) ?? []), meeting.at]);
  }
  const nodes = sides.flatMap(({ index, from }) => [from, ...along(from, added.get(index) ?? [])]);
  return { nodes, crosses };
}

const along = (from: Position, points: readonly Position[]): Position[] =>
  points.toSorted((p, q) => Math.hypot(x(p) - x(from), y(p) - y(from)) - Math.hypot(x(q) - x(from), y(q) - y(from)));

function* nearSides(sides: readonly Side[]): Generator<readonly [Side, Side]> {
  const wide = extent(sides, x) >= extent(sides, y);
  const [main, other] = wide ? [x, y] : [y, x];
  const low = (side: Side, of: typeof x): number => Math.min(of(side.from), of(side.to));
  const high = (side: Side, of: typeof x): number => Math.max(of(side.from), of(side.to));
  let open: Side[] = [];
  for (const side of sides.toSorted((a, b) => low(a, main) - low(b, main))) {
    open = open.filter((before) => high(before, main) >= low(side, main));
    for (const before of open)
      if (high(before, other) >= low(side, other) && high(side, other) >= low(before, other)) yield [before, side];
    open.push(side);
  }
}

function extent(sides: readonly Side[], of: typeof x): number {
  let [low, high] = [Infinity, -Infinity];
  for (const { from } of sides) {
    low = Math.min(low, of(from));
    high = Math.max(high, of(from));
  }
  return high - low;
}

/**
 * Point where two sides meet. `on`: the sides on which the point lies between the ends. `isCrossing`: true if the sides
 * cross there.
 */
interface SideIntersection {
  readonly at: Position;
  readonly on: readonly Side[];
  readonly isCrossing: boolean;
}

function meet(a: Side, b: Side): SideIntersection | undefined {
  const [b1, b2] = [orientation(a.from, a.to, b.from), orientation(a.from, a.to, b.to)];
  const [a1, a2] = [orientation(b.from, b.to, a.from), orientation(b.from, b.to, a.to)];
  if (b1 * b2 < 0 && a1 * a2 < 0) return { at: crossing(a, a1 / (a1 - a2)), on: [a, b], isCrossing: true };
  if (a1 === 0 && a2 === 0) return undefined;
  if (b1 === 0 && isInside(b.from, a)) return { at: b.from, on: [a], isCrossing: false };
  if (b2 === 0 && isInside(b.to, a)) return { at: b.to, on: [a], isCrossing: false };
  if (a1 === 0 && isInside(a.from, b)) return { at: a.from, on: [b], isCrossing: false };
  if (a2 === 0 && isInside(a.to, b)) return { at: a.to, on: [b], isCrossing: false };
  return undefined;
}

/** Twice the signed area of the triangle; positive if `c` is left of the line from `a` to `b`. */
const orientation = (a: Position, b: Position, c: Position): number =>
  (x(b) - x(a)) * (y(c) - y(a)) - (y(b) - y(a)) * (x(c) - x(a));

const crossing = ({ from, to }: Side, share: number): Position => [
  x(from) + share * (x(to) - x(from)),
  y(from) + share * (y(to) - y(from)),
];

function isInside(point: Position, { from, to }: Side): boolean {
  const between = (of: typeof x): boolean =>
    Math.min(of(from), of(to)) <= of(point) && of(point) <= Math.max(of(from), of(to));
  const isEnd = [from, to].some((end) => x(end) === x(point) && y(end) === y(point));
  return !isEnd && between(x) && between(y);
}
