import type { Kernels } from './kernels.ts';
import { medianPairs } from './median-pairs.ts';

/** Largest number of planes that has a straight-line kernel of its own. */
const STRAIGHT = 16;

/** Medians of int16 planes at any count, over one instance of the kernels. */
export class MedianKernel {
  readonly #kernels: Kernels;
  readonly #networks = new Map<number, { pairs: number; count: number; rows: number }>();

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
  }

  /** Makes room for networks of up to `planes` rows, before addresses are handed out elsewhere. */
  prepare(planes: number): void {
    if (planes > STRAIGHT && !this.#networks.has(planes)) {
      const pairs = medianPairs(planes);
      const address = this.#kernels.alloc(4 * pairs.length);
      this.#kernels.u16(address, 2 * pairs.length).set(pairs.flat());
      this.#networks.set(planes, { pairs: address, count: pairs.length, rows: this.#kernels.alloc(64 * planes) });
    }
  }

  /** Median of `planes` planes `stride` bytes apart into `dst`; -32768 = no data; (a + b) >> 1 of the middle two of an even count. */
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
    if (network === undefined) throw new RangeError(`no network prepared for ${planes} planes`);
    this.#kernels.run.medianRows(planes, src, stride, dst, pixels, network.pairs, network.count, network.rows);
  }
}
