import type { Position } from 'geojson';

/** Edges of an outline, indexed by bands of latitude. */
export interface OutlineEdges {
  /** West, south, east, north. */
  readonly box: readonly [number, number, number, number];
  /** Ends of each edge: lon, lat, lon, lat. Edge e begins at index 4 * e. */
  readonly ends: Float64Array;
  /** The edges in band b are `members[start[b] .. start[b + 1] - 1]`. */
  readonly start: Int32Array;
  readonly members: Int32Array;
}

const EDGES_PER_BAND = 4;

/** Indexes the edges of rings (lon/lat). A point is inside if it is within an odd number of rings. */
export function outlineEdges(rings: readonly (readonly Position[])[]): OutlineEdges {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  const ends: number[] = [];
  for (const ring of rings) {
    for (const [at, [x = NaN, y = NaN]] of ring.entries()) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
      const [nextX = NaN, nextY = NaN] = ring[(at + 1) % ring.length]!;
      if (x !== nextX || y !== nextY) ends.push(x, y, nextX, nextY);
    }
  }
  return { box, ends: Float64Array.from(ends), ...inBands(ends, box) };
}

function inBands(ends: readonly number[], box: OutlineEdges['box']): Pick<OutlineEdges, 'start' | 'members'> {
  const edges = ends.length / 4;
  const bands = Math.max(1, Math.ceil(edges / EDGES_PER_BAND));
  const reach = Array.from({ length: edges }, (_, edge) => {
    const [a, b] = [ends[4 * edge + 1]!, ends[4 * edge + 3]!];
    return [bandAt(Math.min(a, b), { box, bands }), bandAt(Math.max(a, b), { box, bands })] as const;
  });
  const start = new Int32Array(bands + 1);
  for (const [first, last] of reach) for (let band = first; band <= last; band += 1) start[band + 1]! += 1;
  for (let band = 0; band < bands; band += 1) start[band + 1]! += start[band]!;
  const members = new Int32Array(start[bands]!);
  const next = start.slice();
  for (const [edge, [first, last]] of reach.entries()) {
    for (let band = first; band <= last; band += 1) {
      members[next[band]!] = edge;
      next[band]! += 1;
    }
  }
  return { start, members };
}

function bandAt(
  y: number,
  { box: [, south, , north], bands }: { readonly box: OutlineEdges['box']; readonly bands: number },
): number {
  const band = Math.floor(((y - south) / (north - south)) * bands);
  return Math.min(Math.max(Number.isNaN(band) ? 0 : band, 0), bands - 1);
}

function contains({ box, ends, start, members }: OutlineEdges, x: number, y: number): boolean {
  const band = bandAt(y, { box, bands: start.length - 1 });
  let isInside = false;
  for (let k = start[band]!; k < start[band + 1]!; k += 1) {
    const at = 4 * members[k]!;
    const [x0, y0, x1, y1] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
    if (y0 > y !== y1 > y && x < x0 + ((y - y0) / (y1 - y0)) * (x1 - x0)) isInside = !isInside;
  }
  return isInside;
}

/** A straight line between two points, lon/lat. */
export interface Segment {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
}

/** Parts of a segment inside of an outline, as shares (0-1) of the length: begin, end, begin, end, ascending. */
export function insideShares(outline: OutlineEdges, segment: Segment): readonly number[] {
  const { x0, y0, x1, y1 } = segment;
  const cuts = [0, ...crossings(outline, segment), 1];
  const shares: number[] = [];
  for (let k = 1; k < cuts.length; k += 1) {
    const [from, to] = [cuts[k - 1]!, cuts[k]!];
    if (to <= from) continue;
    const middle = (from + to) / 2;
    if (!contains(outline, x0 + middle * (x1 - x0), y0 + middle * (y1 - y0))) continue;
    if (shares.at(-1) === from) shares[shares.length - 1] = to;
    else shares.push(from, to);
  }
  return shares;
}

/** Ascending shares at which a segment crosses edges. A crossing is repeated if its edge is in several bands. */
function crossings({ box, ends, start, members }: OutlineEdges, { x0, y0, x1, y1 }: Segment): readonly number[] {
  const bands = start.length - 1;
  const [dx, dy] = [x1 - x0, y1 - y0];
  const found: number[] = [];
  const last = bandAt(Math.max(y0, y1), { box, bands });
  for (let k = start[bandAt(Math.min(y0, y1), { box, bands })]!; k < start[last + 1]!; k += 1) {
    const at = 4 * members[k]!;
    const [ax, ay] = [ends[at]!, ends[at + 1]!];
    const [ex, ey] = [ends[at + 2]! - ax, ends[at + 3]! - ay];
    const across = dx * ey - dy * ex;
    if (across === 0) continue;
    const share = ((ax - x0) * ey - (ay - y0) * ex) / across;
    const along = ((ax - x0) * dy - (ay - y0) * dx) / across;
    if (share > 0 && share < 1 && along >= 0 && along <= 1) found.push(share);
  }
  return found.sort((a, b) => a - b);
}
