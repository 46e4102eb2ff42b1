import type { Position } from 'geojson';
import { metresPerDegree } from '../dem/cell-size.ts';
import { insideShares, type OutlineEdges, type Segment } from './outline-edges.ts';

/** Parts of a path inside of outlines. */
export interface ClippedPath {
  /** Parts inside of at least one outline, in the path's direction. */
  readonly pieces: readonly (readonly Position[])[];
  /** Length inside of each outline near the path, m; `outline` is an index. */
  readonly inside: readonly { readonly outline: number; readonly metres: number }[];
  /** Length of all pieces, m. */
  readonly length: number;
}

/** Cuts a path (lon/lat) at outlines. A part in several outlines is one piece, but counts for each outline. */
export function clipPath(path: readonly Position[], outlines: readonly OutlineEdges[]): ClippedPath {
  const near = nearOf(path, outlines);
  const metres = new Float64Array(near.length);
  const pieces: Position[][] = [];
  let length = 0;
  let open: Position[] | undefined;
  for (let k = 1; k < path.length; k += 1) {
    const segment = segmentOf(path[k - 1]!, path[k]!);
    const whole = metresOf(segment);
    const parts = near.map(({ edges }, index) => {
      const shares = insideShares(edges, segment);
      metres[index] = metres[index]! + whole * sumOf(shares);
      return shares;
    });
    const joined = union(parts);
    length += whole * sumOf(joined);
    for (let at = 0; at < joined.length; at += 2) {
      const [from, to] = [joined[at]!, joined[at + 1]!];
      if (open === undefined || from > 0) {
        open = [pointAt(segment, from)];
        pieces.push(open);
      }
      open.push(pointAt(segment, to));
      if (to < 1) open = undefined;
    }
    if (joined.length === 0) open = undefined;
  }
  return { pieces, inside: near.map(({ outline }, index) => ({ outline, metres: metres[index]! })), length };
}

interface Near {
  readonly outline: number;
  readonly edges: OutlineEdges;
}

function nearOf(path: readonly Position[], outlines: readonly OutlineEdges[]): readonly Near[] {
  let [left, low, right, high] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const [x = NaN, y = NaN] of path) {
    left = Math.min(left, x);
    right = Math.max(right, x);
    low = Math.min(low, y);
    high = Math.max(high, y);
  }
  const near: Near[] = [];
  for (const [outline, edges] of outlines.entries()) {
    const [west, south, east, north] = edges.box;
    if (left <= east && right >= west && low <= north && high >= south) near.push({ outline, edges });
  }
  return near;
}

const segmentOf = ([x0 = NaN, y0 = NaN]: Position, [x1 = NaN, y1 = NaN]: Position): Segment => ({ x0, y0, x1, y1 });

function metresOf({ x0, y0, x1, y1 }: Segment): number {
  const { x, y } = metresPerDegree((y0 + y1) / 2);
  return Math.hypot((x1 - x0) * x, (y1 - y0) * y);
}

/** Point at a share of a segment. The ends are returned unchanged, so that lines with a common end still join. */
function pointAt({ x0, y0, x1, y1 }: Segment, share: number): Position {
  if (share === 0) return [x0, y0];
  return share === 1 ? [x1, y1] : [x0 + share * (x1 - x0), y0 + share * (y1 - y0)];
}

function sumOf(shares: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < shares.length; at += 2) sum += shares[at + 1]! - shares[at]!;
  return sum;
}

/** Union of lists of intervals. Each list has the begin and end of intervals: from, to, from, to. */
function union(shareLists: readonly (readonly number[])[]): readonly number[] {
  const parts = shareLists.filter(({ length }) => length > 0);
  const [only = [], ...others] = parts;
  if (others.length === 0) return only;
  const pairs = parts
    .flatMap((part) => Array.from({ length: part.length / 2 }, (_, k) => [part[2 * k]!, part[2 * k + 1]!] as const))
    .toSorted((a, b) => a[0] - b[0]);
  const joined: number[] = [];
  for (const [from, to] of pairs) {
    const end = joined.at(-1);
    if (end !== undefined && from <= end) joined[joined.length - 1] = Math.max(end, to);
    else joined.push(from, to);
  }
  return joined;
}
