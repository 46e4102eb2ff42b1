import type { IndexSpec, BrightMark } from '@headwater/core/pixel-plan';
import type { Kernels } from './kernels.ts';

/** Input of a formula: samples of one band for the pixels of one block. */
export interface Operand {
  readonly address: number;
  readonly offset: number;
  /** Nodata value as a 16-bit pattern; null if all samples are data. */
  readonly nodata: number | null;
}

const OPERAND_BYTES = 16;
const OPERANDS = 32;
const MOST = 65_535;

/** Computes spectral indices (such as NDVI) of blocks of pixels. */
export class IndexKernel {
  readonly #kernels: Kernels;
  readonly #table: number;
  #view: DataView;

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#table = kernels.alloc(OPERAND_BYTES * OPERANDS);
    this.#view = this.#viewOf(kernels.buffer());
  }

  /**
   * Computes one index of one block into `dst`. `mask`: address of one byte per pixel, 255 for a clear pixel, otherwise
   * 0.
   */
  run(
    index: IndexSpec,
    operands: ReadonlyMap<string, Operand>,
    to: { mask: number; dst: number; pixels: number },
  ): void {
    const { formula } = index;
    const { run } = this.#kernels;
    if (formula.kind === 'band') {
      this.#write([formula.band], operands);
      run.pass16(this.#table, to.mask, to.dst, to.pixels);
      return;
    }
    const { plus, minus } = formula;
    const isPlainPlus = this.#write(plus, operands);
    const isPlain = this.#write(minus, operands, plus.length) && isPlainPlus;
    const isPair = plus.length === 1 && minus.length === 1;
    if (isPair && isPlain) run.ratio2Plain(this.#table, to.mask, to.dst, to.pixels);
    else if (isPair) run.ratio2(this.#table, to.mask, to.dst, to.pixels);
    else run.ratioN(this.#table, plus.length, minus.length, to.mask, to.dst, to.pixels);
    if (formula.bright !== undefined) this.#mark(formula.bright, operands, to);
  }

  #mark(
    { band, from, above }: BrightMark,
    operands: ReadonlyMap<string, Operand>,
    to: { dst: number; pixels: number },
  ): void {
    this.#write([band], operands);
    const limit = Math.ceil(from - (operands.get(band)?.offset ?? 0));
    this.#kernels.run.markBright(this.#table, Math.min(MOST, Math.max(0, limit)), above, to.dst, to.pixels);
  }

  /**
   * Writes the operands of `names` to the table, from row `first` on. Returns true if none has an offset, and all have
   * the nodata value 0.
   */
  #write(names: readonly string[], operands: ReadonlyMap<string, Operand>, first = 0): boolean {
    const view = this.#rows();
    let isPlain = true;
    let at = first * OPERAND_BYTES;
    for (const name of names) {
      const operand = operands.get(name);
      if (operand === undefined) throw new Error(`band ${name} was not read`);
      const { address, offset, nodata } = operand;
      view.setUint32(at, address, true);
      view.setFloat32(at + 4, offset, true);
      view.setUint32(at + 8, nodata ?? 0, true);
      view.setInt32(at + 12, nodata === null ? 0 : -1, true);
      if (offset !== 0 || nodata !== 0) isPlain = false;
      at += OPERAND_BYTES;
    }
    return isPlain;
  }

  // The buffer changes when the memory grows. The view throws a RangeError for more operands than the table has.
  #rows(): DataView {
    const buffer = this.#kernels.buffer();
    if (this.#view.buffer !== buffer) this.#view = this.#viewOf(buffer);
    return this.#view;
  }

  #viewOf(buffer: ArrayBuffer): DataView {
    return new DataView(buffer, this.#table, OPERAND_BYTES * OPERANDS);
  }
}
