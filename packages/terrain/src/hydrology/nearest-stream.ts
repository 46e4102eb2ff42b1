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
  const offsets = new Float64Array(rows);
  for (let row = 1; row < rows; row += 1) offsets[row] = offsets[row - 1]! + (y[row - 1]! + y[row]!) / 2;
  const envelope = new Envelope(offsets);
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

/** Lower envelope of parabolas `squared + (offset - offsets[row])^2`, which are added in ascending order of rows. */
class Envelope {
  /** Distance of each row's centre from the centre of the first row, m. */
  readonly #offsets: Float64Array;
  /** Each parabola's row, its value `squared`, and the offset from which it is the lowest. */
  readonly #rows: Int32Array;
  readonly #squared: Float64Array;
  readonly #from: Float64Array;
  #count = 0;

  constructor(offsets: Float64Array) {
    this.#offsets = offsets;
    this.#rows = new Int32Array(offsets.length);
    this.#squared = new Float64Array(offsets.length);
    this.#from = new Float64Array(offsets.length);
  }

  clear(): void {
    this.#count = 0;
  }

  add(row: number, squared: number): void {
    const offset = this.#offsets[row]!;
    let from = -Infinity;
    while (this.#count > 0) {
      const last = this.#count - 1;
      const other = this.#offsets[this.#rows[last]!]!;
      from = (squared + offset * offset - this.#squared[last]! - other * other) / (2 * (offset - other));
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
    for (let row = 0; row < this.#offsets.length; row += 1) {
      const offset = this.#offsets[row]!;
      while (k + 1 < this.#count && this.#from[k + 1]! <= offset) k += 1;
      const away = this.#count === 0 ? Infinity : offset - this.#offsets[this.#rows[k]!]!;
      out[first + row * step] = this.#count === 0 ? Infinity : Math.sqrt(this.#squared[k]! + away * away);
    }
  }
}
