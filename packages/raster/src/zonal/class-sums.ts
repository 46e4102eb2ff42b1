import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { Coverage } from './coverage-runs.ts';

/** Values of a window of the raster, row-major. */
interface ClassWindow extends PixelWindow {
  readonly data: Uint8Array;
}

/** Adds covered fraction x pixel area of some rows to `sums`, `[256]`; `rowAreas` has one entry per raster row. */
export function addClassAreas(
  coverage: Coverage,
  values: ClassWindow,
  { rowAreas, sums }: { rowAreas: Float64Array; sums: Float64Array },
): void {
  const first = Math.max(coverage.top, values.row);
  const last = Math.min(coverage.top + coverage.rows, values.row + values.rows);
  const counts = new Uint32Array(256);
  for (let row = first; row < last; row += 1) {
    const area = rowAreas[row]!;
    const base = (row - values.row) * values.cols - values.col;
    const end = coverage.start[row - coverage.top + 1]!;
    let counted = false;
    for (let run = coverage.start[row - coverage.top]!; run < end; run += 1) {
      const fraction = coverage.fraction[run]!;
      const [from, to] = [base + coverage.from[run]!, base + coverage.to[run]!];
      if (fraction === 1) {
        countRun(values.data, [from, to], counts);
        counted = true;
      } else addPart(values.data, [from, to], { sums, weight: fraction * area });
    }
    if (counted) flush(counts, sums, area);
  }
}

/** Adds each run of equal values at once. Neighbours are mostly of one class, so this needs fewer memory accesses. */
function countRun(data: Uint8Array, [from, to]: readonly [number, number], counts: Uint32Array): void {
  let last = data[from]!;
  let since = from;
  for (let at = from + 1; at < to; at += 1) {
    const value = data[at]!;
    if (value === last) continue;
    counts[last] = counts[last]! + at - since;
    last = value;
    since = at;
  }
  counts[last] = counts[last]! + to - since;
}

function addPart(
  data: Uint8Array,
  [from, to]: readonly [number, number],
  { sums, weight }: { sums: Float64Array; weight: number },
): void {
  for (let at = from; at < to; at += 1) {
    const value = data[at]!;
    sums[value] = sums[value]! + weight;
  }
}

/** Adds the counted whole pixels of a row: exact, and one multiplication per class. */
function flush(counts: Uint32Array, sums: Float64Array, area: number): void {
  for (let value = 0; value < 256; value += 1) {
    const count = counts[value]!;
    if (count === 0) continue;
    sums[value] = sums[value]! + count * area;
    counts[value] = 0;
  }
}
