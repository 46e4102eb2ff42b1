import { cellSizes } from '../dem/cell-size.ts';
import { stepsByCode } from '../hydrology/directions.ts';
import type { Flow } from '../hydrology/flow.ts';
import type { ZoneIndex } from '../landforms/zone-moments.ts';

/** Direction codes of the published connectivity layer: 0 none, then clockwise from north-east. */
export const DIRECTIONS = ['none', 'NE', 'E', 'SE', 'S', 'SW', 'W', 'NW', 'N'] as const;

/** Net flow from a zone to another zone. */
export interface ZoneFlow {
  /** Receiving zone; 0 is outside of all zones. */
  readonly into: number;
  /** Net number of draining cells. */
  readonly cells: number;
}

/** Connections of a zone to other zones. */
export interface ZoneConnection {
  readonly zone: number;
  /** Zone that gets most of this zone's water; 0 if most water leaves all zones. */
  readonly downstream: number;
  /** Zones whose `downstream` is this zone, ascending. */
  readonly upstream: readonly number[];
  /** Direction from the zone's centre to the centre of `downstream`, as index into `DIRECTIONS`. */
  readonly direction: number;
  /** Outflows, greatest first; empty only without heights. */
  readonly gives: readonly ZoneFlow[];
}

/** Finds the drainage between zones: counts the cells that drain over each border, minus water that flows back. */
export function connectZones(flow: Flow, cells: Uint32Array, index: ZoneIndex): readonly ZoneConnection[] {
  const gives = netFlows(crossings(flow, cells, index), index.count);
  const downstream = gives.map((list) => list[0]?.into ?? 0);
  const upstream: number[][] = gives.map(() => []);
  downstream.forEach((into, giver) => void (giver > 0 && upstream[into]!.push(giver)));
  const middles = zoneMiddles(flow, index);
  return downstream.slice(1).map((into, at) => {
    const zone = at + 1;
    const direction = into === 0 ? 0 : compass(middles[zone]!, middles[into]!);
    return { zone, downstream: into, upstream: upstream[zone]!, direction, gives: gives[zone]! };
  });
}

/** Zones whose downstream zone may change because of unseen water. `unseen` is the result of `edgeContamination`. */
export function uncertainZones(
  { flow, unseen }: { readonly flow: Flow; readonly unseen: Uint8Array },
  { zones }: ZoneIndex,
  connections: readonly ZoneConnection[],
): ReadonlySet<number> {
  const steps = stepsByCode(flow.grid.cols);
  const uncertain = new Set<number>();
  for (const at of flow.order) {
    if (unseen[at] === 0) continue;
    const step = steps[flow.directions[at]!]!;
    const from = zones[at]!;
    const into = step === 0 ? 0 : zones[at + step]!;
    if (from !== 0 && from !== into && connections[from - 1]?.downstream !== into) uncertain.add(from);
  }
  return uncertain;
}

/** Number of cells that drain over each border between zones. The key is `from * (count + 1) + into`. */
function crossings(flow: Flow, cells: Uint32Array, { zones, count }: ZoneIndex): ReadonlyMap<number, number> {
  const steps = stepsByCode(flow.grid.cols);
  const sums = new Map<number, number>();
  for (let k = 0; k < flow.order.length; k += 1) {
    const at = flow.order[k]!;
    const step = steps[flow.directions[at]!]!;
    const from = zones[at]!;
    const into = step === 0 ? 0 : zones[at + step]!;
    if (from === into) continue;
    const key = from * (count + 1) + into;
    sums.set(key, (sums.get(key) ?? 0) + cells[at]!);
  }
  return sums;
}

function netFlows(sums: ReadonlyMap<number, number>, count: number): readonly (readonly ZoneFlow[])[] {
  const gives: ZoneFlow[][] = Array.from({ length: count + 1 }, () => []);
  for (const [key, there] of sums) {
    const [from, into] = [Math.floor(key / (count + 1)), key % (count + 1)];
    const net = there - (sums.get(into * (count + 1) + from) ?? 0);
    if (net > 0) gives[from]!.push({ into, cells: net });
  }
  return gives.map((list) => list.toSorted((a, b) => b.cells - a.cells || a.into - b.into));
}

function zoneMiddles({ grid }: Flow, { zones, count }: ZoneIndex): readonly (readonly [number, number])[] {
  const east = new Float64Array(count + 1);
  const north = new Float64Array(count + 1);
  const pixels = new Float64Array(count + 1);
  const { x, y } = cellSizes(grid);
  const middle = grid.rows >> 1;
  for (let at = 0; at < zones.length; at += 1) {
    const zone = zones[at]!;
    const row = Math.floor(at / grid.cols);
    east[zone] = east[zone]! + (at % grid.cols) * x[middle]!;
    north[zone] = north[zone]! - row * y[middle]!;
    pixels[zone] = pixels[zone]! + 1;
  }
  return Array.from(pixels, (n, zone) => [east[zone]! / n, north[zone]! / n] as const);
}

function compass(from: readonly [number, number], to: readonly [number, number]): number {
  const degrees = (Math.atan2(to[0] - from[0], to[1] - from[1]) * 180) / Math.PI;
  const eighth = (Math.round(degrees / 45) + 8) % 8;
  return eighth === 0 ? 8 : eighth;
}
