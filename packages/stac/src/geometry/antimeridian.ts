import { clipAtMeridian, crossing, type Ring } from './clip.ts';
import { signedArea } from './rings.ts';
import type { PositionLike } from './types.ts';

/** Shifting by 360 degrees causes a tiny error, which rounding to 0.1 micrometre removes. */
const DIGITS = 1e12;

/**
 * A closed ring whose longitudes continue over +-180 (179, -179 becomes 179, 181). Undefined if the ring goes round a
 * pole.
 */
export function unwrapRing(ring: Ring): Ring | undefined {
  let turns = 0;
  const steps = ring.map(([lon = NaN], index) => lon - (ring[index - 1]?.[0] ?? lon));
  const unwrapped = ring.map(([lon = NaN, lat = NaN], index): PositionLike => {
    const step = steps[index] ?? 0;
    if (Math.abs(step) > 180 && Math.abs(step) <= 360) turns -= Math.sign(step);
    return [lon + 360 * turns, lat];
  });
  if (turns === 0 && signedArea(unwrapped) !== 0) return unwrapped;
  return steps.some((step) => Math.abs(step) > 180 && Math.abs(step) !== 360) ? undefined : ring;
}

/**
 * Cuts a polygon at the antimeridian (RFC 7946, section 3.1.9). Undefined if the polygon cannot be cut, for example
 * around a pole.
 */
export function splitAtAntimeridian(rings: readonly Ring[]): readonly (readonly Ring[])[] | undefined {
  const unwrapped = rings.map(unwrapRing);
  if (unwrapped.every((ring, index) => ring !== undefined && isUnchanged(ring, rings[index]))) return [rings];
  const exterior = unwrapped[0];
  if (exterior === undefined) return undefined;
  const placed = [exterior, ...unwrapped.slice(1).map((hole) => hole && shiftInto(hole, exterior))];
  const fitting = placed.filter((ring) => ring !== undefined);
  return fitting.length < rings.length ? undefined : cut(fitting, spanOf(exterior));
}

/**
 * Cuts a line at the antimeridian. If the longitudes of neighbouring positions differ by more than 180 and less than
 * 360 degrees, the line takes the shorter way round the globe.
 */
export function splitLine(line: readonly PositionLike[]): readonly (readonly PositionLike[])[] {
  const parts: { turn: number; positions: PositionLike[] }[] = [];
  const path = unwrapLine(line);
  for (const [index, to] of path.entries()) {
    const from = path[index - 1];
    for (const [start, end] of from === undefined ? [] : stretches(from, to)) {
      const last = parts.at(-1);
      if (last !== undefined && isWithin(last.turn, end)) last.positions.push(end);
      else parts.push({ turn: Math.round((lonOf(start) + lonOf(end)) / 720), positions: [start, end] });
    }
  }
  const isOriginal = parts.length === 1 && line.every(([lon = NaN], index) => lon === path[index]?.[0]);
  if (isOriginal && parts[0]?.turn === 0) return [line];
  return parts.map(({ turn, positions }) => shift(positions, -turn));
}

/** Position with its longitude shifted to -180 to 180. */
export function normalizeLongitude(position: PositionLike): PositionLike {
  const [moved = position] =
    Math.abs(lonOf(position)) <= 180 ? [] : shift([position], -Math.round(lonOf(position) / 360));
  return moved;
}

function unwrapLine(line: readonly PositionLike[]): readonly PositionLike[] {
  let turns = 0;
  return line.map((position, index) => {
    const step = lonOf(position) - lonOf(line[index - 1] ?? position);
    if (Math.abs(step) > 180 && Math.abs(step) < 360) turns -= Math.sign(step);
    return turns === 0 ? position : [lonOf(position) + 360 * turns, position[1] ?? NaN];
  });
}

/** Divides an edge at the antimeridian. */
function stretches(from: PositionLike, to: PositionLike): readonly (readonly [PositionLike, PositionLike])[] {
  const [west, east] = [Math.min(lonOf(from), lonOf(to)), Math.max(lonOf(from), lonOf(to))];
  const cuts: PositionLike[] = [];
  for (let meridian = 180 + 360 * Math.floor((west + 180) / 360); meridian < east; meridian += 360)
    if (meridian > west) cuts.push(crossing(from, to, meridian));
  if (lonOf(from) > lonOf(to)) cuts.reverse();
  const stops = [from, ...cuts, to];
  return stops.slice(1).map((stop, index) => [stops[index] ?? from, stop]);
}

function isWithin(turn: number, position: PositionLike): boolean {
  return Math.abs(lonOf(position) - 360 * turn) <= 180;
}

function lonOf([lon = NaN]: PositionLike): number {
  return lon;
}

function cut(rings: readonly Ring[], [west, east]: readonly [number, number]): Ring[][] | undefined {
  if (east - west >= 360) return undefined;
  const first = Math.floor((west + 180) / 360);
  const last = Math.ceil((east - 180) / 360);
  if (first === last) return [rings.map((ring) => shift(ring, -first))];
  const meridian = 180 + 360 * first;
  const before = clipAtMeridian(rings, { meridian, side: -1 });
  const after = clipAtMeridian(rings, { meridian, side: 1 });
  if (before === undefined || after === undefined) return undefined;
  return [
    ...before.map((polygon) => polygon.map((ring) => shift(ring, -first))),
    ...after.map((polygon) => polygon.map((ring) => shift(ring, -last))),
  ];
}

/** Shifts a hole by 360 degrees into its exterior. Undefined if no shift fits. */
function shiftInto(hole: Ring, exterior: Ring): Ring | undefined {
  const [west, east] = spanOf(exterior);
  const [from, to] = spanOf(hole);
  const turns = [0, -1, 1].find((each) => from + 360 * each >= west && to + 360 * each <= east);
  return turns === undefined ? undefined : shift(hole, turns);
}

function shift(ring: Ring, turns: number): Ring {
  if (turns === 0) return ring;
  return ring.map(([lon = NaN, lat = NaN]) => [Math.round((lon + 360 * turns) * DIGITS) / DIGITS, lat]);
}

function isUnchanged(ring: Ring, original: Ring | undefined): boolean {
  return ring.every(([lon = NaN], index) => lon === original?.[index]?.[0] && Math.abs(lon) <= 180);
}

function spanOf(ring: Ring): readonly [west: number, east: number] {
  let [west, east] = [Infinity, -Infinity];
  for (const [lon = NaN] of ring) {
    west = Math.min(west, lon);
    east = Math.max(east, lon);
  }
  return [west, east];
}
