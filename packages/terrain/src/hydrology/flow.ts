import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import type { PixelGrid } from '@headwater/core';
import { DIRECTION_CODES, NO_DATA, opposite, OUTLET, STEPS_DOWN, STEPS_RIGHT } from './directions.ts';
import { FloodQueue } from './flood-queue.ts';

/** Flow directions on a DEM with filled depressions. */
export interface Flow {
  readonly grid: PixelGrid;
  /** Heights with depressions filled to their spill points, Float32 `[rows * cols]`; NaN is unknown. */
  readonly filled: Float32Array;
  /** D8 code per cell (`directions.ts`), uint8 `[rows * cols]`. */
  readonly directions: Uint8Array;
  /** Cells with data, each after the cell that it drains into. */
  readonly order: Int32Array;
}

/**
 * Fills depressions (Priority-Flood: Barnes et al. 2014, Computers & Geosciences 62:117). Directions follow the
 * steepest descent; in flats they lead to the spill point.
 */
export function flowOf(dem: Dem): Flow {
  const { grid } = dem;
  const filled = dem.heights.slice();
  const directions = new Uint8Array(filled.length).fill(NO_DATA);
  const queue = new FloodQueue(filled);
  seedBorder(dem, directions, queue);
  flood({ grid, filled, directions }, queue);
  useSteepestDescent({ grid, filled, directions });
  return { grid, filled, directions, order: queue.taken() };
}

type Plane = Pick<Flow, 'grid' | 'filled' | 'directions'>;

function seedBorder({ grid: { rows, cols }, heights }: Dem, directions: Uint8Array, queue: FloodQueue): void {
  for (let row = 0; row < rows; row += 1) {
    for (let col = 0; col < cols; col += 1) {
      const at = row * cols + col;
      if (Number.isNaN(heights[at]!)) continue;
      const isEdge = row === 0 || col === 0 || row === rows - 1 || col === cols - 1;
      if (!isEdge && !hasGap(heights, at, cols)) continue;
      directions[at] = OUTLET;
      queue.add(at);
    }
  }
}

/** True if one of the eight neighbours of an inner cell has no height. */
export function hasGap(heights: Float32Array, at: number, cols: number): boolean {
  // One test of the sum is enough, because a sum with NaN is NaN.
  const above = heights[at - cols - 1]! + heights[at - cols]! + heights[at - cols + 1]!;
  const below = heights[at + cols - 1]! + heights[at + cols]! + heights[at + cols + 1]!;
  return Number.isNaN(above + heights[at - 1]! + heights[at + 1]! + below);
}

/** Raises each cell to at least the height of the cell from which the flood came. */
function flood({ grid: { rows, cols }, filled, directions }: Plane, queue: FloodQueue): void {
  const back = Uint8Array.from(DIRECTION_CODES, opposite);
  const steps = stepsAround(cols);
  const last = (rows - 1) * cols;
  for (let at = queue.take(); at !== -1; at = queue.take()) {
    const level = filled[at]!;
    const col = at % cols;
    const isEdge = at < cols || at >= last || col === 0 || col === cols - 1;
    for (let k = 0; k < 8; k += 1) {
      if (isEdge && leavesGrid(at, k, { rows, cols })) continue;
      const near = at + steps[k]!;
      if (directions[near] !== NO_DATA) continue;
      const height = filled[near]!;
      if (height !== height) continue;
      directions[near] = back[k]!;
      // The negated test also replaces an equal height: the queue sorts -0 below 0, and must not get a cell below the
      // last taken cell.
      if (!(height > level)) filled[near] = level;
      queue.add(near);
    }
  }
}

/** Lets each cell drain into its steepest lower neighbour. A cell without a lower neighbour keeps its direction. */
function useSteepestDescent({ grid, filled, directions }: Plane): void {
  const { rows, cols } = grid;
  const { x, y } = cellSizes(grid);
  const steps = stepsAround(cols);
  for (let row = 0; row < rows; row += 1) {
    const diagonal = Math.hypot(x[row]!, y[row]!);
    const distances = Float64Array.of(y[row]!, diagonal, x[row]!, diagonal, y[row]!, diagonal, x[row]!, diagonal);
    for (let col = 0; col < cols; col += 1) {
      const at = row * cols + col;
      if (directions[at] === NO_DATA) continue;
      const height = filled[at]!;
      const isEdge = row === 0 || col === 0 || row === rows - 1 || col === cols - 1;
      let steepest = 0;
      for (let k = 0; k < 8; k += 1) {
        if (isEdge && leavesGrid(at, k, grid)) continue;
        // Comparisons with NaN are false, so cells without data are never chosen.
        const slope = (height - filled[at + steps[k]!]!) / distances[k]!;
        if (slope > steepest) {
          steepest = slope;
          directions[at] = DIRECTION_CODES[k]!;
        }
      }
    }
  }
}

function stepsAround(cols: number): Int32Array {
  return Int32Array.from(STEPS_DOWN, (down, k) => down * cols + STEPS_RIGHT[k]!);
}

function leavesGrid(at: number, k: number, { rows, cols }: { rows: number; cols: number }): boolean {
  const row = Math.floor(at / cols) + STEPS_DOWN[k]!;
  const col = (at % cols) + STEPS_RIGHT[k]!;
  return row < 0 || col < 0 || row >= rows || col >= cols;
}
