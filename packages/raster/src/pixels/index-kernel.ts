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

  constructor(kernels: Kernels) {
    this.#kernels = kernels;
    this.#table = kernels.alloc(OPERAND_BYTES * OPERANDS);
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
    this.#write([...formula.plus, ...formula.minus], operands);
    const isPair = formula.plus.length === 1 && formula.minus.length === 1;
    const isPlain = [...formula.plus, ...formula.minus].every((name) => {
      const { offset, nodata } = operands.get(name) ?? { offset: 0, nodata: 0 };
      return offset === 0 && nodata === 0;
    });
    if (isPair && isPlain) run.ratio2Plain(this.#table, to.mask, to.dst, to.pixels);
    else if (isPair) run.ratio2(this.#table, to.mask, to.dst, to.pixels);
    else run.ratioN(this.#table, formula.plus.length, formula.minus.length, to.mask, to.dst, to.pixels);
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

  #write(names: readonly string[], operands: ReadonlyMap<string, Operand>): void {
    const view = new DataView(this.#kernels.buffer(), this.#table, OPERAND_BYTES * OPERANDS);
    names.forEach((name, i) => {
      const operand = operands.get(name);
      if (operand === undefined) throw new Error(`band ${name} was not read`);
      view.setUint32(i * OPERAND_BYTES, operand.address, true);
      view.setFloat32(i * OPERAND_BYTES + 4, operand.offset, true);
      view.setUint32(i * OPERAND_BYTES + 8, operand.nodata ?? 0, true);
      view.setInt32(i * OPERAND_BYTES + 12, operand.nodata === null ? 0 : -1, true);
    });
  }
}
