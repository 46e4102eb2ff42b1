import { cellSizes, type CellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';

/** Ring of pixels whose centres are more than `innerMetres` and at most `outerMetres` away. */
export interface Neighbourhood {
  readonly innerMetres: number;
  readonly outerMetres: number;
}

/** Sums of heights in a ring around each pixel. Prefix sums make the time independent of the ring's width. */
export class RingSums {
  readonly #dem: Dem;
  readonly #ring: Neighbourhood;
  readonly #sizes: CellSizes;
  readonly #pad: number;
  readonly #heights: Float64Array;
  /** Prefix sums of pixels with data; undefined if all pixels have data. */
  readonly #known: Float64Array | undefined;
  readonly #ones: Float64Array;
  readonly #sum: Float64Array;
  readonly #count: Float64Array;

  constructor(dem: Dem, ring: Neighbourhood) {
    const { rows, cols } = dem.grid;
    this.#dem = dem;
    this.#ring = ring;
    this.#sizes = cellSizes(dem.grid);
    const narrowest = this.#sizes.x.reduce((least, x) => Math.min(least, x), Infinity);
    this.#pad = Math.min(Math.floor(ring.outerMetres / narrowest) + 1, cols);
    const { heights } = dem;
    this.#heights = this.#prefix(rows, (at) => (Number.isNaN(heights[at]!) ? 0 : heights[at]!));
    const hasGaps = heights.some((height) => Number.isNaN(height));
    this.#known = hasGaps ? this.#prefix(rows, (at) => (Number.isNaN(heights[at]!) ? 0 : 1)) : undefined;
    this.#ones = this.#prefix(1, () => 1);
    this.#sum = new Float64Array(cols);
    this.#count = new Float64Array(cols);
  }

  /** Sum of heights, and number of pixels with data, by column. The next call overwrites the arrays. */
  ofRow(row: number): { readonly sum: Float64Array; readonly count: Float64Array } {
    const { rows, cols } = this.#dem.grid;
    this.#sum.fill(0);
    this.#count.fill(0);
    const reach = Math.floor(this.#ring.outerMetres / this.#sizes.y[row]! + 1e-9);
    const [first, last] = [Math.max(row - reach, 0), Math.min(row + reach, rows - 1)];
    for (let from = first; from <= last; from += 1) {
      const halves = this.#halves(row, from);
      const base = from * this.#stride;
      addRow(this.#sum, { prefix: this.#heights, base: base + this.#pad, ...halves }, [0, cols]);
      if (this.#known === undefined) this.#countBorder(halves);
      else addRow(this.#count, { prefix: this.#known, base: base + this.#pad, ...halves }, [0, cols]);
    }
    if (this.#known === undefined) this.#spreadCount();
    return { sum: this.#sum, count: this.#count };
  }

  /**
   * Counts the pixels of rings in columns near the border, if all pixels have data. `#spreadCount` fills the other
   * columns.
   */
  #countBorder(halves: Halves): void {
    const part = { prefix: this.#ones, base: this.#pad, ...halves };
    const { near, far, cols } = this.#border();
    addRow(this.#count, part, [0, near]);
    addRow(this.#count, part, [far, cols]);
  }

  /** Copies the count to the columns away from the border, which all have the same count. */
  #spreadCount(): void {
    const { near, far } = this.#border();
    this.#count.fill(this.#count[near - 1]!, near, far);
  }

  #border(): { near: number; far: number; cols: number } {
    const { cols } = this.#dem.grid;
    const near = Math.min(this.#pad + 1, cols);
    return { near, far: Math.max(cols - this.#pad, near), cols };
  }

  get #stride(): number {
    return this.#dem.grid.cols + 1 + 2 * this.#pad;
  }

  /** Prefix sums of each row. The padding before a row is 0; the padding after a row is the row's total. */
  #prefix(rows: number, valueOf: (at: number) => number): Float64Array {
    const { cols } = this.#dem.grid;
    const sums = new Float64Array(rows * this.#stride);
    for (let row = 0; row < rows; row += 1) {
      const base = row * this.#stride + this.#pad;
      let sum = 0;
      for (let col = 0; col < cols; col += 1) {
        sum += valueOf(row * cols + col);
        sums[base + col + 1] = sum;
      }
      sums.fill(sum, base + cols + 1, base + cols + 1 + this.#pad);
    }
    return sums;
  }

  /** Half widths, in row `from`, of the ring around a pixel of `row`. */
  #halves(row: number, from: number): Halves {
    const away = (from - row) * this.#sizes.y[row]!;
    const x = this.#sizes.x[row]!;
    const half = (radius: number): number => Math.min(halfWidth(radius, away, x), this.#pad);
    return { outer: half(this.#ring.outerMetres), inner: half(this.#ring.innerMetres) };
  }
}

/** Half widths of a ring in one row, in pixels. -1 if the circle does not reach the row. */
interface Halves {
  readonly outer: number;
  readonly inner: number;
}

/**
 * Number of pixels on each side within `radius`, in a row `away` metres from the centre. -1: the circle does not reach
 * the row.
 */
function halfWidth(radius: number, away: number, pixel: number): number {
  const squared = radius * radius - away * away;
  // The tolerance compensates rounding: a radius of 300 m must include the tenth pixel of 30 m.
  return radius < 0 || squared < -1e-6 ? -1 : Math.floor(Math.sqrt(Math.max(squared, 0)) / pixel + 1e-9);
}

interface RowPart extends Halves {
  readonly prefix: Float64Array;
  readonly base: number;
}

/** Adds to each column's sum the pixels at a distance of more than `inner` and at most `outer` columns. */
function addRow(
  sums: Float64Array,
  { prefix, base, outer, inner }: RowPart,
  [from, to]: readonly [number, number],
): void {
  if (outer < 0) return;
  if (inner < 0) {
    for (let col = from, at = base + from; col < to; col += 1, at += 1) {
      sums[col] = sums[col]! + prefix[at + outer + 1]! - prefix[at - outer]!;
    }
    return;
  }
  for (let col = from, at = base + from; col < to; col += 1, at += 1) {
    const taken = prefix[at + outer + 1]! - prefix[at - outer]!;
    sums[col] = sums[col]! + taken - (prefix[at + inner + 1]! - prefix[at - inner]!);
  }
}
