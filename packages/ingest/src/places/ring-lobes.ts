import type { Position } from 'geojson';
import { signedArea } from '@headwater/stac';
import { ringNodes } from './ring-nodes.ts';

/** Areas (lobes) in a ring that crosses or touches itself. */
export interface Lobes {
  /** Counter-clockwise, without crossings or overlaps. */
  readonly rings: readonly Position[][];
  /** Holes that the ring encloses by touching itself. */
  readonly holes: readonly Position[][];
}

/** Closed part of a ring, between two visits of a position. */
interface Loop {
  readonly ring: Position[];
  /** Twice the signed area; positive if counter-clockwise. */
  readonly area: number;
  readonly west: number;
  readonly east: number;
}

/**
 * Splits a closed ring where it crosses or touches itself, because otherwise its lobes could be subtracted from each
 * other. Undefined for a ring that needs no split.
 */
export function lobesOf(ring: readonly Position[]): Lobes | undefined {
  const { nodes, crosses } = ringNodes(ring);
  const loops = loopsOf(nodes);
  const [largest] = loops.toSorted((a, b) => Math.abs(b.area) - Math.abs(a.area));
  if (largest === undefined || (loops.length === 1 && !crosses)) return undefined;
  const nested = new Map(loops.map((loop) => [loop, containerOf(loop, loops)]));
  const isHole = (loop: Loop): boolean => {
    const within = nested.get(loop);
    return !crosses && within !== undefined && within.area > 0 !== loop.area > 0;
  };
  const outer = loops.filter((loop) => nested.get(loop) === undefined);
  const isGood =
    !crosses &&
    outer.every(({ area }) => area > 0 === largest.area > 0) &&
    loops.every((l) => outer.includes(l) || isHole(l));
  if (isGood) return undefined;
  return { rings: outer.map(counterClockwise), holes: loops.filter(isHole).map(counterClockwise) };
}

const counterClockwise = ({ ring, area }: Loop): Position[] => (area > 0 ? ring : ring.toReversed());

function loopsOf(nodes: readonly Position[]): Loop[] {
  const loops: Loop[] = [];
  const walk: Position[] = [];
  const seen = new Map<string, number>();
  const close = (start: number): void => {
    const ring = [...walk.slice(start), walk[start]!];
    const area = signedArea(ring);
    if (ring.length >= 4 && area !== 0) loops.push({ ring, area, ...span(ring) });
    for (const position of walk.splice(start + 1)) seen.delete(keyOf(position));
  };
  for (const node of nodes) {
    const before = seen.get(keyOf(node));
    if (before !== undefined) {
      close(before);
      continue;
    }
    seen.set(keyOf(node), walk.length);
    walk.push(node);
  }
  if (walk.length > 0) close(0);
  return loops;
}

function span(ring: readonly Position[]): { readonly west: number; readonly east: number } {
  let [west, east] = [Infinity, -Infinity];
  for (const [lon = 0] of ring) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return { west, east };
}

const keyOf = (position: Position): string => `${position[0]} ${position[1]}`;

/** Smallest loop around `loop`. Tests the middle of a side of `loop`, because loops meet only in nodes. */
function containerOf(loop: Loop, loops: readonly Loop[]): Loop | undefined {
  const [a = [], b = []] = loop.ring;
  const middle = [((a[0] ?? 0) + (b[0] ?? 0)) / 2, ((a[1] ?? 0) + (b[1] ?? 0)) / 2];
  const [lon = 0] = middle;
  let around: Loop | undefined;
  for (const other of loops) {
    const size = Math.abs(other.area);
    if (other.west >= lon || lon >= other.east || size <= Math.abs(loop.area)) continue;
    if (size < Math.abs(around?.area ?? Infinity) && contains(other.ring, middle)) around = other;
  }
  return around;
}

/** True for a point inside a ring (even-odd rule). */
export function contains(ring: readonly Position[], [px = Number.NaN, py = Number.NaN]: Position): boolean {
  let isInside = false;
  for (let i = 1; i < ring.length; i++) {
    const [[ax = 0, ay = 0], [bx = 0, by = 0]] = [ring[i - 1]!, ring[i]!];
    if (ay > py !== by > py && px < ax + ((py - ay) / (by - ay)) * (bx - ax)) isInside = !isInside;
  }
  return isInside;
}
