import { isClosed, signedArea } from './rings.ts';
import type { PositionLike } from './types.ts';

/** A closed ring of `[longitude, latitude]`. */
export type Ring = readonly PositionLike[];

/** A meridian and the kept side: -1 west, 1 east. */
export interface Cut {
  readonly meridian: number;
  readonly side: -1 | 1;
}

/**
 * Parts of a polygon on one side of a meridian. The exterior must be counter-clockwise and holes clockwise; the parts
 * keep this orientation. Undefined if rings cross.
 */
export function clipAtMeridian(rings: readonly Ring[], cut: Cut): Ring[][] | undefined {
  const isOnSide = (position: PositionLike): boolean => cut.side * (lonOf(position) - cut.meridian) > 0;
  const whole = rings.filter((ring) => ring.every(isOnSide));
  const chains = rings.flatMap((ring) => (ring.every(isOnSide) ? [] : chainsOf(ring, cut.meridian, isOnSide)));
  const joined = joinChains(
    chains.filter((chain) => !isClosed(chain)),
    cut.side,
  );
  return joined === undefined ? undefined : polygonsOf([...whole, ...chains.filter(isClosed), ...joined]);
}

/** Pieces of a ring on the kept side. Each piece starts and ends at the meridian. */
function chainsOf(ring: Ring, meridian: number, isOnSide: (position: PositionLike) => boolean): Ring[] {
  const open = ring.slice(0, -1);
  const start = open.findIndex((position) => !isOnSide(position));
  const turned = [...open.slice(start), ...open.slice(0, start + 1)];
  const chains: PositionLike[][] = [];
  turned.slice(1).forEach((to, index) => {
    const from = turned[index] ?? to;
    const [wasOnSide, staysOnSide] = [isOnSide(from), isOnSide(to)];
    if (staysOnSide && !wasOnSide) chains.push([crossing(from, to, meridian)]);
    if (staysOnSide) chains.at(-1)?.push(to);
    else if (wasOnSide) chains.at(-1)?.push(crossing(from, to, meridian));
  });
  return chains;
}

/** Intersection of an edge with a meridian. The edge must reach the meridian. */
export function crossing(from: PositionLike, to: PositionLike, meridian: number): PositionLike {
  const [x0 = 0, y0 = 0] = from;
  const [x1 = 0, y1 = 0] = to;
  if (x0 === meridian) return [meridian, y0];
  if (x1 === meridian) return [meridian, y1];
  return [meridian, y0 + ((y1 - y0) * (meridian - x0)) / (x1 - x0)];
}

/**
 * Joins each end of a chain to the next start along the meridian, with the inside on the left. Undefined unless ends
 * and starts alternate.
 */
function joinChains(chains: readonly Ring[], side: -1 | 1): Ring[] | undefined {
  const along = (position: PositionLike | undefined): number => -side * latOf(position);
  const ends = [...chains].sort((a, b) => along(a.at(-1)) - along(b.at(-1)));
  const starts = [...chains].sort((a, b) => along(a[0]) - along(b[0]));
  const stops = ends.flatMap((end, index) => [along(end.at(-1)), along(starts[index]?.[0])]);
  if (stops.some((stop, index) => stop < (stops[index - 1] ?? -Infinity))) return undefined;
  const next = new Map(ends.map((chain, index) => [chain, starts[index] ?? chain]));
  const left = new Set(chains);
  const rings: Ring[] = [];
  for (const first of left) {
    const ring: PositionLike[] = [];
    for (let chain = first; left.delete(chain); chain = next.get(chain) ?? first) ring.push(...chain);
    rings.push([...ring, ring[0] ?? []]);
  }
  return rings;
}

function polygonsOf(rings: readonly Ring[]): Ring[][] | undefined {
  const polygons = rings.filter((ring) => signedArea(ring) > 0).map((ring) => [ring]);
  for (const hole of rings.filter((ring) => signedArea(ring) < 0)) {
    const around = polygons.find(([exterior = []]) => contains(exterior, hole));
    if (around === undefined) return undefined;
    around.push(hole);
  }
  return polygons;
}

/** True if the middle of a hole's edge is in the exterior. A corner of the hole may touch the exterior. */
function contains(exterior: Ring, hole: Ring): boolean {
  const x = (lonOf(hole[0]) + lonOf(hole[1])) / 2;
  const y = (latOf(hole[0]) + latOf(hole[1])) / 2;
  const crossed = exterior.slice(1).filter((to, index) => {
    const [x0 = 0, y0 = 0] = exterior[index] ?? [];
    const [x1 = 0, y1 = 0] = to;
    return y0 > y !== y1 > y && x < x0 + ((x1 - x0) * (y - y0)) / (y1 - y0);
  });
  return crossed.length % 2 === 1;
}

function lonOf(position: PositionLike | undefined): number {
  return position?.[0] ?? NaN;
}

function latOf(position: PositionLike | undefined): number {
  return position?.[1] ?? NaN;
}
