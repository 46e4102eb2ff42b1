import type { ZoneCover } from '@headwater/core/geo';

/** Covered fractions of the pixels of one polygon, as runs of equal fractions. */
export interface Coverage extends ZoneCover {
  /** All runs are in the columns [left, right). */
  readonly left: number;
  readonly right: number;
}

const NOTHING = 1e-12;

/** Converts boundary pixels, in the order of row and column, to runs. The buffers are reused for each polygon. */
export class RunBuilder {
  readonly #cols: number;
  #starts: number[] = [];
  #from = new Int32Array();
  #to = new Int32Array();
  #fraction = new Float64Array();
  #count = 0;
  #top = 0;
  #carry = 0;
  #next = 0;
  #left = Number.POSITIVE_INFINITY;
  #right = 0;

  constructor(cols: number) {
    this.#cols = cols;
  }

  /** Begins a polygon. `entries` is the number of its boundary entries. */
  begin(entries: number): void {
    [this.#starts, this.#count, this.#top, this.#carry, this.#next] = [[], 0, 0, 0, 0];
    [this.#left, this.#right] = [Number.POSITIVE_INFINITY, 0];
    if (3 * entries <= this.#from.length) return;
    this.#from = new Int32Array(3 * entries);
    this.#to = new Int32Array(3 * entries);
    this.#fraction = new Float64Array(3 * entries);
  }

  /** Adds one boundary pixel with the sums of its `BoundaryEntries`. Pixels must be in the order of row and column. */
  add(row: number, col: number, { area, cover }: { area: number; cover: number }): void {
    if (this.#starts.length === 0) this.#top = row;
    if (row >= this.#top + this.#starts.length) this.#openRow(row);
    this.#push(this.#next, col, this.#carry);
    this.#push(col, col + 1, this.#carry + area);
    this.#carry += cover;
    this.#next = col + 1;
  }

  finish(): Coverage {
    this.#closeRow();
    const rows = this.#starts.length;
    const start = Int32Array.from([...this.#starts, this.#count]);
    const left = Math.min(this.#left, this.#right);
    const runs = {
      from: this.#from.slice(0, this.#count),
      to: this.#to.slice(0, this.#count),
      fraction: this.#fraction.slice(0, this.#count),
    };
    return { top: this.#top, rows, start, ...runs, left, right: this.#right };
  }

  #openRow(row: number): void {
    this.#closeRow();
    while (this.#starts.length <= row - this.#top) this.#starts.push(this.#count);
    this.#carry = 0;
    this.#next = 0;
  }

  /** Ends a row. If the polygon extends beyond the right edge, it covers the remaining pixels of the row. */
  #closeRow(): void {
    this.#push(this.#next, this.#cols, this.#carry);
    this.#carry = 0;
  }

  /** Adds a run. Limits its fraction to 1, so that overlapping parts of a polygon do not count twice. */
  #push(from: number, to: number, signed: number): void {
    const fraction = signed > 1 - NOTHING ? 1 : signed;
    if (to <= from || !(fraction > NOTHING)) return;
    this.#from[this.#count] = from;
    this.#to[this.#count] = to;
    this.#fraction[this.#count] = fraction;
    this.#count += 1;
    this.#left = Math.min(this.#left, from);
    this.#right = Math.max(this.#right, to);
  }
}
