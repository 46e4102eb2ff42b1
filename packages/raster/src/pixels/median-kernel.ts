import type { Kernels } from './kernels.ts';

/**
 * Sorting network for `n` rows as comparators (low row, high row): Batcher's merge exchange (Knuth, TAOCP 3, algorithm
 * 5.2.2 M).
 */
export function sortPairs(n: number): readonly (readonly [number, number])[] {
  const all: [number, number][] = [];
  const top = 1 << (Math.ceil(Math.log2(Math.max(n, 2))) - 1);
  for (let p = top; p > 0; p >>= 1) {
    for (let q = top, r = 0, d = p; ; d = q - p, q >>= 1, r = p) {
      for (let i = 0; i < n - d; i++) if ((i & p) === r) all.push([i, i + d]);
      if (q === p) break;
    }
  }
  return all;
}

/** Comparators of `sortPairs` that affect the two middle rows. */
export function medianPairs(n: number): readonly (readonly [number, number])[] {
  const all = sortPairs(n);
  const needed = new Set([Math.max((n >> 1) - 1, 0), n >> 1]);
  const pairs: [number, number][] = [];
  for (const [a, b] of all.toReversed()) {
    if (!needed.has(a) && !needed.has(b)) continue;
    needed.add(a).add(b);
    pairs.push([a, b]);
  }
  return pairs.toReversed();
}

/** Maximum number of planes for which there is a kernel without a loop. */
const STRAIGHT = 16;

/** Computes medians of any number of int16 planes. */
export class MedianKernel {
  readonly #kernels: Kernels;
  readonly #networks = new Map<number, { pairs: number; count: number; rows: number }>();

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  /**
   * Allocates the sorting network for `planes` rows. Call this before `Kernels.mark()`, because `reset` frees
   * everything that was allocated after the mark.
   */
  prepare(planes: number): void {
    if (planes > STRAIGHT && !this.#networks.has(planes)) {
      const pairs = medianPairs(planes);
      const address = this.#kernels.alloc(4 * pairs.length);
      this.#kernels.u16(address, 2 * pairs.length).set(pairs.flat());
      this.#networks.set(planes, { pairs: address, count: pairs.length, rows: this.#kernels.alloc(64 * planes) });
    }
  }

  /**
   * Writes the median of `planes` planes, `stride` bytes apart, to `dst`; -32768 is nodata. The median of an even
   * number of values is (a + b) >> 1 of the two middle values.
   */
  run(
    planes: number,
    { src, stride, dst, pixels }: { src: number; stride: number; dst: number; pixels: number },
  ): void {
    if (planes === 1) {
      this.#kernels.run.copyRows(src, 0, dst, 0, 2 * pixels, 1);
      return;
    }
    if (this.#kernels.run.median(planes, src, stride, dst, pixels) !== 0) return;
    const network = this.#networks.get(planes);
    if (network === undefined)
      throw new RangeError(`no sorting network is prepared for the median of ${planes} planes; prepare one first`);
    this.#kernels.run.medianRows(planes, src, stride, dst, pixels, network.pairs, network.count, network.rows);
  }
}
