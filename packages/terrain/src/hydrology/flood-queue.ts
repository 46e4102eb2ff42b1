/** Buckets of the radix heap: one per highest bit in which a key differs from the level. */
const BUCKETS = 33;
const FIRST_ROOM = 1024;

/**
 * A queue of cells by height for floods, where nothing is added below what was taken last: a radix heap (Ahuja et al. 1990, J. ACM
 * 37:213) over the bits of float32 heights. First in, first out among equals; each cell is added once. Buckets are plain arrays that
 * are read from end to end, because a heap of cells that lie apart waits for memory at each step.
 */
export class FloodQueue {
  readonly #bits: Uint32Array;
  /** Cells that were taken, and behind them those that wait at the present level. */
  readonly #order: Int32Array;
  readonly #buckets = Array.from({ length: BUCKETS }, () => new Bucket());
  #level = 0;
  #taken = 0;
  #ready = 0;

  /** `heights` are the cells' heights when they are added; the queue reads them, the caller writes them. */
  constructor(heights: Float32Array) {
    this.#order = new Int32Array(heights.length);
    this.#bits = new Uint32Array(heights.buffer, heights.byteOffset, heights.length);
  }

  /** Adds a cell; its height is not below the last one taken. */
  add(cell: number): void {
    this.#deal(cell, keyOf(this.#bits[cell]!));
  }

  /** Takes the lowest cell, -1 when there is none. */
  take(): number {
    if (this.#taken === this.#ready && !this.#raise()) return -1;
    const cell = this.#order[this.#taken]!;
    this.#taken += 1;
    return cell;
  }

  /** Cells in the order in which they were taken, lowest first. */
  taken(): Int32Array {
    return this.#order.subarray(0, this.#taken);
  }

  #deal(cell: number, key: number): void {
    const differs = (key ^ this.#level) >>> 0;
    if (differs === 0) {
      this.#order[this.#ready] = cell;
      this.#ready += 1;
    } else this.#buckets[32 - Math.clz32(differs)]!.add(cell, key);
  }

  /** Moves the level up to the lowest cell that waits, and deals out that cell's bucket again: all go to lower ones. */
  #raise(): boolean {
    const bucket = this.#buckets.find(({ size }) => size > 0);
    if (bucket === undefined) return false;
    const { cells, keys, size } = bucket;
    let lowest = keys[0]!;
    for (let k = 1; k < size; k += 1) if (keys[k]! < lowest) lowest = keys[k]!;
    this.#level = lowest;
    bucket.size = 0;
    for (let k = 0; k < size; k += 1) this.#deal(cells[k]!, keys[k]!);
    return true;
  }
}

/** Bits of a float as an unsigned number of the same order: negative ones turned over, the sign bit set in the others. */
function keyOf(bits: number): number {
  return ((bits & 0x8000_0000) === 0 ? bits | 0x8000_0000 : ~bits) >>> 0;
}

/** Cells and their keys, in the order in which they came. */
class Bucket {
  cells = new Int32Array(FIRST_ROOM);
  keys = new Uint32Array(FIRST_ROOM);
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
