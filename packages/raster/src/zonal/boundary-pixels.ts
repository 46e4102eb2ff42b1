import type { PixelSize } from '../pixels/pixel-window.ts';

const MOST_RESERVED = 2 ** 17;

/**
 * Pixels that a polygon's boundary crosses, with one entry per piece of the boundary (the exact-area method of font
 * rasterisers).
 * - `area`: signed share of the pixel right of the piece
 * - `cover`: signed share of every pixel further right
 * The covered fraction of a pixel is the sum of its `area` and of all `cover` to its left.
 * Pixel (r, c) is the square [c, c+1) x [r, r+1); u is to the right and v down.
 */
export class BoundaryPixels {
  readonly #bounds: PixelSize;
  #capacity = 1024;
  #row = new Int32Array(this.#capacity);
  #col = new Int32Array(this.#capacity);
  #area = new Float64Array(this.#capacity);
  #cover = new Float64Array(this.#capacity);
  /**
   * Smallest and largest u of the piece that is being added. All calls use this array, because a new array for each
   * call would be slow.
   */
  readonly #piece = new Float64Array(2);
  count = 0;

  constructor(bounds: PixelSize) {
    this.#bounds = bounds;
  }

  /** Entries that were added so far; valid until the next ring is added. */
  entries(): BoundaryEntries {
    return { count: this.count, rows: this.#row, cols: this.#col, areas: this.#area, covers: this.#cover };
  }

  /** Adds a closed ring of points (u, v interleaved) in any direction. `sign`: 1 for an exterior, -1 for a hole. */
  addRing(points: Float64Array, sign: 1 | -1): void {
    const direction = turnsRight(points) ? sign : -sign;
    this.#reserve(points);
    for (let at = 0; at + 3 < points.length; at += 2) {
      if (points[at + 1]! !== points[at + 3]!) this.#addEdge(points, at, direction);
    }
  }

  /** Splits the edge between the points at `at` and `at + 2` at the borders between rows. */
  #addEdge(points: Float64Array, at: number, direction: number): void {
    // Edges start at the upper end, so that a common edge has exactly the same numbers for two polygons.
    const down = points[at + 1]! < points[at + 3]!;
    const top = down ? at : at + 2;
    const bottom = down ? at + 2 : at;
    const topU = points[top]!;
    const topV = points[top + 1]!;
    const bottomU = points[bottom]!;
    const bottomV = points[bottom + 1]!;
    const sign = down ? -direction : direction;
    const slope = (bottomU - topU) / (bottomV - topV);
    const first = Math.max(Math.floor(topV), 0);
    const last = Math.min(Math.ceil(bottomV), this.#bounds.rows);
    for (let row = first; row < last; row += 1) {
      const from = Math.max(topV, row);
      const to = Math.min(bottomV, row + 1);
      const u0 = from === topV ? topU : topU + (from - topV) * slope;
      const u1 = to === bottomV ? bottomU : topU + (to - topV) * slope;
      this.#piece[0] = u0 < u1 ? u0 : u1;
      this.#piece[1] = u0 < u1 ? u1 : u0;
      this.#addPiece(row, sign * (to - from));
    }
  }

  /** Splits the part of an edge in one row at the borders between columns. `height`: signed extent in v. */
  #addPiece(row: number, height: number): void {
    const { cols } = this.#bounds;
    const left = this.#piece[0]!;
    const right = this.#piece[1]!;
    if (left >= cols) return;
    if (right <= 0) return this.#push(row, 0, { area: height, cover: height });
    const width = right - left;
    const firstCol = Math.max(Math.floor(left), 0);
    if (right <= firstCol + 1 && left >= 0) {
      const area = height * (firstCol + 1 - (left + right) / 2);
      return this.#push(row, firstCol, { area, cover: height });
    }
    // A piece left of the raster has the whole first pixel on its right. A piece right of the raster has no effect.
    if (left < 0) this.#push(row, 0, { area: (height * -left) / width, cover: (height * -left) / width });
    for (let col = firstCol; col < right && col < cols; col += 1) {
      const from = Math.max(left, col);
      const to = Math.min(right, col + 1);
      const cover = (height * (to - from)) / width;
      this.#push(row, col, { area: cover * (col + 1 - (from + to) / 2), cover });
    }
    return undefined;
  }

  #push(row: number, col: number, { area, cover }: { area: number; cover: number }): void {
    if (this.count === this.#capacity) this.#grow();
    this.#row[this.count] = row;
    this.#col[this.count] = col;
    this.#area[this.count] = area;
    this.#cover[this.count] = cover;
    this.count += 1;
  }

  /** Reserves memory for about one entry per crossed border between pixels. */
  #reserve(points: Float64Array): void {
    let entries = this.count + points.length;
    for (let at = 2; at < points.length; at++) entries += Math.abs(points[at]! - points[at - 2]!);
    const wanted = Math.min(Math.ceil(entries), MOST_RESERVED);
    if (wanted > this.#capacity) this.#grow(wanted);
  }

  #grow(least = 0): void {
    this.#capacity = Math.max(least, 2 * this.#capacity);
    this.#row = copyInto(new Int32Array(this.#capacity), this.#row);
    this.#col = copyInto(new Int32Array(this.#capacity), this.#col);
    this.#area = copyInto(new Float64Array(this.#capacity), this.#area);
    this.#cover = copyInto(new Float64Array(this.#capacity), this.#cover);
  }
}

/** Entries of `BoundaryPixels`. The arrays may be longer than `count`. */
export interface BoundaryEntries {
  readonly count: number;
  readonly rows: Int32Array;
  readonly cols: Int32Array;
  readonly areas: Float64Array;
  readonly covers: Float64Array;
}

function copyInto<T extends Int32Array | Float64Array>(target: T, source: T): T {
  target.set(source);
  return target;
}

/** True if the ring is clockwise in the image (v down), by the sign of its area. */
function turnsRight(points: Float64Array): boolean {
  const [u0 = 0, v0 = 0] = points;
  let twice = 0;
  for (let at = 2; at + 3 < points.length; at += 2) {
    twice += (points[at]! - u0) * (points[at + 3]! - v0) - (points[at + 2]! - u0) * (points[at + 1]! - v0);
  }
  return twice > 0;
}
