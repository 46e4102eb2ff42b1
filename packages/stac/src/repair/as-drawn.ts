import { isClosed, signedArea } from '../geometry/rings.ts';
import type { PositionLike } from '../geometry/types.ts';

type Ring = readonly PositionLike[];
type Edge = readonly [from: PositionLike, to: PositionLike];

/** Maximum number of edges over 180 degrees. There is a limit, because each of these is compared with all edges. */
const MOST_LONG_EDGES = 100;

/**
 * True if a polygon is valid as drawn: rings are closed and oriented, and edges longer than 180 degrees cross no other
 * edge.
 */
export function isValidAsDrawn(rings: readonly Ring[]): boolean {
  const isWound = rings.every((ring, index) => {
    const area = signedArea(ring);
    return isClosed(ring) && area !== 0 && area > 0 === (index === 0);
  });
  if (!isWound) return false;
  const edges = rings.flatMap(edgesOf);
  const long = edges.filter(([from, to]) => Math.abs(lonOf(to) - lonOf(from)) > 180);
  return long.length <= MOST_LONG_EDGES && long.every((edge) => !edges.some((other) => cross(edge, other)));
}

function edgesOf(ring: Ring): readonly Edge[] {
  return ring.slice(1).map((to, index) => [ring[index] ?? to, to]);
}

function cross([a, b]: Edge, [c, d]: Edge): boolean {
  return sideOf(a, b, c) * sideOf(a, b, d) < 0 && sideOf(c, d, a) * sideOf(c, d, b) < 0;
}

function sideOf(from: PositionLike, to: PositionLike, position: PositionLike): number {
  return Math.sign(signedArea([from, to, position]));
}

function lonOf([lon = NaN]: PositionLike): number {
  return lon;
}
