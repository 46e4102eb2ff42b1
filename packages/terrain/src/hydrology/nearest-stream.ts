import { cellSizes } from '../dem/cell-size.ts';
import type { PixelGrid } from '@headwater/core';

/**
 * Distance of each cell's centre to the nearest stream cell, m (Felzenszwalb and Huttenlocher 2012, Theory of Computing
 * 8:415). Float32 `[rows * cols]`; Infinity without streams.
 */
export function distanceToStreams(grid: PixelGrid, orders: Uint8Array): Float32Array {
  const { cols, rows } = grid;
  const { x, y } = cellSizes(grid);
  const metres = alongRows(orders, { cols, rows, x });
  const heights = new Float64Array(rows);
  for (let row = 1; row < rows; row += 1) heights[row] = heights[row - 1]! + (y[row - 1]! + y[row]!) / 2;
  const envelope = new Envelope(heights);
  for (let col = 0; col < cols; col += 1) {
    envelope.clear();
    for (let row = 0; row < rows; row += 1) {
      const across = metres[row * cols + col]!;
      if (across !== Infinity) envelope.add(row, across * across);
    }
    envelope.write(metres, { first: col, step: cols });
  }
  return metres;
}

function alongRows(
  orders: Uint8Array,
  { cols, rows, x }: { readonly cols: number; readonly rows: number; readonly x: Float64Array },
): Float32Array {
  const metres = new Float32Array(orders.length);
  for (let row = 0; row < rows; row += 1) {
    const first = row * cols;
    let cells = Infinity;
    for (let at = first; at < first + cols; at += 1) {
      cells = orders[at] === 0 ? cells + 1 : 0;
      metres[at] = cells * x[row]!;
    }
    cells = Infinity;
    for (let at = first + cols - 1; at >= first; at -= 1) {
      cells = orders[at] === 0 ? cells + 1 : 0;
      metres[at] = Math.min(metres[at]!, cells * x[row]!);
    }
  }
  return metres;
}

/** Lower envelope of parabolas `squared + (height - heights[row])^2`, which are added in ascending order of rows. */
class Envelope {
  readonly #heights: Float64Array;
  /** Each parabola's row, its value `squared`, and the height from which it is the lowest. */
  readonly #rows: Int32Array;
  readonly #squared: Float64Array;
  readonly #from: Float64Array;
  #count = 0;

  constructor(heights: Float64Array) {
    this.#heights = heights;
    this.#rows = new Int32Array(heights.length);
    this.#squared = new Float64Array(heights.length);
    this.#from = new Float64Array(heights.length);
  }

  clear(): void {
    this.#count = 0;
  }

  add(row: number, squared: number): void {
    const height = this.#heights[row]!;
    let from = -Infinity;
    while (this.#count > 0) {
      const last = this.#count - 1;
      const other = this.#heights[this.#rows[last]!]!;
      from = (squared + height * height - this.#squared[last]! - other * other) / (2 * (height - other));
      if (from > this.#from[last]!) break;
      this.#count = last;
      from = -Infinity;
    }
    this.#rows[this.#count] = row;
    this.#squared[this.#count] = squared;
    this.#from[this.#count] = from;
    this.#count += 1;
  }

  write(out: Float32Array, { first, step }: { readonly first: number; readonly step: number }): void {
    let k = 0;
    for (let row = 0; row < this.#heights.length; row += 1) {
      const height = this.#heights[row]!;
      while (k + 1 < this.#count && this.#from[k + 1]! <= height) k += 1;
      const away = this.#count === 0 ? Infinity : height - this.#heights[this.#rows[k]!]!;
      out[first + row * step] = this.#count === 0 ? Infinity : Math.sqrt(this.#squared[k]! + away * away);
    }
  }
}
