/**
 * Number of buckets of the radix heap. The level is the key of the cell that was taken last. The number of a key's bucket
 * is the place of the highest bit in which the key differs from the level: 1 (lowest bit) to 32. Bucket 0 is not used,
 * because cells whose key equals the level are in `#order`.
 */
const BUCKETS = 33;
const INITIAL_CAPACITY = 1024;

/**
 * A priority queue of cells by height, for floods that never add a cell below the cell that was taken last. It is a radix
 * heap (Ahuja et al. 1990, J. ACM 37:213) over the bits of float32 heights. Cells of equal height are taken in the order
 * in which they were added; each cell is added once. This heap is faster than a binary heap: each bucket is an array that
 * is read from end to end, but a binary heap jumps between distant places in memory.
 */
export class FloodQueue {
  readonly #bits: Uint32Array;
  /** Cells that were taken so far, followed by the waiting cells whose key equals the level. */
  readonly #order: Int32Array;
  readonly #buckets = Array.from({ length: BUCKETS }, () => new Bucket());
  /** Key of the cell that was taken last; 0 if no cell was taken yet. */
  #level = 0;
  #taken = 0;
  #ready = 0;

  /** The caller must write a cell's height to `heights` before it adds the cell. */
  constructor(heights: Float32Array) {
    this.#order = new Int32Array(heights.length);
    this.#bits = new Uint32Array(heights.buffer, heights.byteOffset, heights.length);
  }

  /** Adds a cell. The height of the cell must not be below the height of the cell that was taken last. */
  add(cell: number): void {
    this.#sortIn(cell, keyOf(this.#bits[cell]!));
  }

  /** Takes the lowest cell; returns -1 if no cell waits. */
  take(): number {
    if (this.#taken === this.#ready && !this.#raise()) return -1;
    const cell = this.#order[this.#taken]!;
    this.#taken += 1;
    return cell;
  }

  /** All cells that were taken so far, lowest first. */
  taken(): Int32Array {
    return this.#order.subarray(0, this.#taken);
  }

  #sortIn(cell: number, key: number): void {
    const differs = (key ^ this.#level) >>> 0;
    if (differs === 0) {
      this.#order[this.#ready] = cell;
      this.#ready += 1;
    } else this.#buckets[32 - Math.clz32(differs)]!.add(cell, key);
  }

  /**
   * Raises the level to the key of the lowest waiting cell, and moves the cells of that cell's bucket to lower buckets or
   * to `#order`. Returns false if no cell waits.
   */
  #raise(): boolean {
    const bucket = this.#buckets.find(({ size }) => size > 0);
    if (bucket === undefined) return false;
    const { cells, keys, size } = bucket;
    let lowest = keys[0]!;
    for (let k = 1; k < size; k += 1) if (keys[k]! < lowest) lowest = keys[k]!;
    this.#level = lowest;
    bucket.size = 0;
    for (let k = 0; k < size; k += 1) this.#sortIn(cells[k]!, keys[k]!);
    return true;
  }
}

/**
 * Converts a float's bits to an unsigned sort key. All bits of negative numbers are inverted; in all other numbers
 * the sign bit is set.
 */
function keyOf(bits: number): number {
  return ((bits & 0x8000_0000) === 0 ? bits | 0x8000_0000 : ~bits) >>> 0;
}

/** Cells and their keys, in insertion order. */
class Bucket {
  cells = new Int32Array(INITIAL_CAPACITY);
  keys = new Uint32Array(INITIAL_CAPACITY);
  size = 0;

  add(cell: number, key: number): void {
    if (this.size === this.cells.length) this.#grow();
    this.cells[this.size] = cell;
    this.keys[this.size] = key;
    this.size += 1;
  }

  #grow(): void {
    const { cells, keys } = this;
    this.cells = new Int32Array(2 * cells.length);
    this.keys = new Uint32Array(2 * keys.length);
    this.cells.set(cells);
    this.keys.set(keys);
  }
}
