import type { PositionLike } from './types.ts';

/**
 * Limit of comparisons for a ring, and for all holes of a polygon, so that no document takes long. The rest is not
 * checked.
 */
const MOST_STEPS = 2_000_000;

interface Edge {
  readonly index: number;
  readonly from: PositionLike;
  readonly to: PositionLike;
  readonly left: number;
  readonly right: number;
  readonly low: number;
  readonly high: number;
}

/** Indexes of two crossing edges of a closed ring. Touching edges do not count. */
export function crossingEdges(ring: readonly PositionLike[]): readonly [number, number] | undefined {
  if (goesRound(ring)) return undefined;
  // Sweep from west to east, with plain loops for speed.
  const edges = edgesOf(ring).sort((a, b) => a.left - b.left);
  const open: Edge[] = [];
  let steps = 0;
  for (const edge of edges) {
    let keptCount = 0;
    steps += open.length;
    if (steps > MOST_STEPS) return undefined;
    for (const other of open) {
      if (other.right < edge.left) continue;
      open[keptCount] = other;
      keptCount += 1;
      if (other.low > edge.high || other.high < edge.low) continue;
      if (cross(edge, other)) return [Math.min(edge.index, other.index), Math.max(edge.index, other.index)];
    }
    open.length = keptCount;
    open.push(edge);
  }
  return undefined;
}

/** True for a ring that goes once around a point, always in the same direction. Such a ring cannot cross itself. */
function goesRound(ring: readonly PositionLike[]): boolean {
  const [a, b] = [ring[0], ring[Math.floor(ring.length / 2)]];
  if (a === undefined || b === undefined) return false;
  const middle = [((a[0] ?? 0) + (b[0] ?? 0)) / 2, ((a[1] ?? 0) + (b[1] ?? 0)) / 2];
  const height = middle[1] ?? 0;
  let [turn, rises] = [0, 0];
  let from = a;
  for (const to of ring.slice(1)) {
    const next = Math.sign(side(middle, from, to));
    if (next === 0 || next === -turn) return false;
    if ((from[1] ?? 0) <= height && (to[1] ?? 0) > height) rises += 1;
    [turn, from] = [next, to];
  }
  return rises === 1;
}

function edgesOf(ring: readonly PositionLike[]): Edge[] {
  const edges: Edge[] = [];
  let from = ring[0];
  for (let index = 1; index < ring.length; index += 1) {
    const to = ring[index];
    if (from === undefined || to === undefined) break;
    const x0 = from[0] ?? 0;
    const y0 = from[1] ?? 0;
    const x1 = to[0] ?? 0;
    const y1 = to[1] ?? 0;
    const isEast = x0 < x1;
    const isNorth = y0 < y1;
    edges.push({
      index: index - 1,
      from,
      to,
      left: isEast ? x0 : x1,
      right: isEast ? x1 : x0,
      low: isNorth ? y0 : y1,
      high: isNorth ? y1 : y0,
    });
    from = to;
  }
  return edges;
}

/** Positive if `c` is to the left of the line from `a` to `b`. */
function side(a: PositionLike, b: PositionLike, c: PositionLike): number {
  const x = a[0] ?? 0;
  const y = a[1] ?? 0;
  return ((b[0] ?? 0) - x) * ((c[1] ?? 0) - y) - ((b[1] ?? 0) - y) * ((c[0] ?? 0) - x);
}

function cross(one: Edge, other: Edge): boolean {
  return (
    side(one.from, one.to, other.from) * side(one.from, one.to, other.to) < 0 &&
    side(other.from, other.to, one.from) * side(other.from, other.to, one.to) < 0
  );
}

/** Limit of checked positions per hole. */
const MOST_OF_HOLE = 8;

/** First position of each hole that is outside of the exterior. Only a limited number of positions is checked. */
export function positionsOutside(
  holes: readonly (readonly PositionLike[])[],
  exterior: readonly PositionLike[],
): readonly (PositionLike | undefined)[] {
  let left = Math.floor(MOST_STEPS / exterior.length);
  return holes.map((hole) => {
    const checked = hole.slice(0, Math.min(MOST_OF_HOLE, left));
    left -= checked.length;
    return checked.find((position) => !contains(exterior, position));
  });
}

function contains(ring: readonly PositionLike[], position: PositionLike): boolean {
  const [x = 0, y = 0] = position;
  let isInside = false;
  let from = ring.at(-1) ?? [];
  for (const to of ring) {
    const [x0 = 0, y0 = 0] = from;
    const [x1 = 0, y1 = 0] = to;
    const isInBox = Math.min(x0, x1) <= x && x <= Math.max(x0, x1) && Math.min(y0, y1) <= y && y <= Math.max(y0, y1);
    if (isInBox && side(from, to, position) === 0) return true;
    if (y0 > y !== y1 > y && x < x0 + ((x1 - x0) * (y - y0)) / (y1 - y0)) isInside = !isInside;
    from = to;
  }
  return isInside;
}
