import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { loadRuns, type RunRows } from './run-sums.ts';

const VALUES = 256;
/** Memory of the kernel for four tables of counts. */
const COUNTS_BYTES = 4 * 4 * VALUES;

/**
 * Adds the covered area of each value in some rows, m2, to `sums` (256 values). Adds in the same order as the kernel,
 * so that both have exactly equal results.
 */
export function classAreasReference(
  { data, cols, row: top, col: left }: PixelWindow & { readonly data: Uint8Array },
  { row, rows, starts, from, to, fraction }: RunRows,
  { rowAreas, sums }: ClassSums,
): void {
  for (let r = 0; r < rows; r++) {
    const area = rowAreas[row + r]!;
    const base = (row + r - top) * cols - left;
    const counts = new Uint32Array(VALUES);
    for (let run = starts[r]!; run < starts[r + 1]!; run++) {
      const share = fraction[run]!;
      for (let at = base + from[run]!; at < base + to[run]!; at++) {
        const value = data[at]!;
        if (share === 1) counts[value]! += 1;
        else sums[value]! += share * area;
      }
    }
    counts.forEach((count, value) => {
      if (count > 0) sums[value]! += count * area;
    });
  }
}

/** Areas in m2. `rowAreas`: area of one pixel in each row of the raster. `sums`: covered area of each value. */
export interface ClassSums {
  readonly rowAreas: Float64Array;
  readonly sums: Float64Array;
}

/** Does the work of `classAreasReference` in the kernels. `address`: bytes of the window in the kernels' memory. */
export function addClassAreas(
  kernels: Kernels,
  { address, cols, row: top, col: left }: PixelWindow & { readonly address: number },
  { part, rowAreas, sums }: ClassSums & { readonly part: RunRows },
): void {
  if (part.rows === 0) return;
  const mark = kernels.mark();
  const [areas, counts, out] = [8 * part.rows, COUNTS_BYTES, 8 * VALUES].map((bytes) => kernels.alloc(bytes));
  const { starts, from, to, fractions } = loadRuns(kernels, part);
  kernels.f64(areas!, part.rows).set(rowAreas.subarray(part.row, part.row + part.rows));
  kernels.u8(counts!, COUNTS_BYTES).fill(0);
  kernels.f64(out!, VALUES).set(sums);
  const data = address + (part.row - top) * cols;
  kernels.run.sumClasses(data, cols, part.rows, left, starts, from, to, fractions, areas!, counts!, out!);
  sums.set(kernels.f64(out!, VALUES));
  kernels.reset(mark);
}
