import type { ZoneCover } from '@headwater/core/geo';
import type { ZoneIndex } from '../landforms/zone-moments.ts';

/** `ZoneCover`s of zones that consist of whole pixels. Entry k is the cover of zone k + 1. */
export function coversOfIndex({ zones, count }: ZoneIndex, cols: number): readonly ZoneCover[] {
  const runs = Array.from({ length: count }, (): Run[] => []);
  for (let at = 0; at < zones.length;) {
    const row = Math.floor(at / cols);
    const from = at - row * cols;
    const zone = zones[at]!;
    let to = from + 1;
    while (to < cols && zones[row * cols + to] === zone) to += 1;
    if (zone !== 0) runs[zone - 1]!.push({ row, from, to });
    at = row * cols + to;
  }
  return runs.map(coverOfRuns);
}

interface Run {
  readonly row: number;
  readonly from: number;
  readonly to: number;
}

function coverOfRuns(runs: readonly Run[]): ZoneCover {
  const top = runs[0]?.row ?? 0;
  const rows = runs.length === 0 ? 0 : runs.at(-1)!.row - top + 1;
  const start = new Int32Array(rows + 1);
  for (const { row } of runs) start[row - top + 1] = start[row - top + 1]! + 1;
  for (let row = 0; row < rows; row += 1) start[row + 1] = start[row + 1]! + start[row]!;
  return {
    top,
    rows,
    start,
    from: Int32Array.from(runs, ({ from }) => from),
    to: Int32Array.from(runs, ({ to }) => to),
    fraction: new Float64Array(runs.length).fill(1),
  };
}
