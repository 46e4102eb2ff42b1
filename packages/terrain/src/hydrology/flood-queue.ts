/**
 * Number of buckets. A key's bucket is the number (1 to 32) of the highest bit in which it differs from the last
 * taken key. Bucket 0 is unused.
 */
const BUCKETS = 33;
const INITIAL_CAPACITY = 1024;

/**
 * Priority queue of cells by height: a radix heap (Ahuja et al. 1990, J. ACM 37:213). Cells are never added below the
 * last taken cell.
 */
export class FloodQueue {
  readonly #bits: Uint32Array;
  readonly #order: Int32Array;
  readonly #buckets = Array.from({ length: BUCKETS }, () => new Bucket());
  #level = 0;
  #taken = 0;
  #ready = 0;

  /** A cell's height must be in `heights` before the cell is added. */
  constructor(heights: Float32Array) {
    this.#order = new Int32Array(heights.length);
    this.#bits = new Uint32Array(heights.buffer, heights.byteOffset, heights.length);
  }

  /** Adds a cell that is not below the last taken cell. */
  add(cell: number): void {
    this.#sortIn(cell, keyOf(this.#bits[cell]!));
  }

  /** Takes the lowest cell; -1 if the queue is empty. */
  take(): number {
    if (this.#taken === this.#ready && !this.#raise()) return -1;
    const cell = this.#order[this.#taken]!;
    this.#taken += 1;
    return cell;
  }

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

  /** Readies the lowest cells, and moves the rest of their bucket to lower buckets. False if the queue is empty. */
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

/** Sort key from the bits of a float32: all bits of a negative number are inverted, otherwise the sign bit is set. */
function keyOf(bits: number): number {
  return ((bits & 0x8000_0000) === 0 ? bits | 0x8000_0000 : ~bits) >>> 0;
}

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
