import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { IndexKernel } from '../pixels/index-kernel.ts';
import type { Operand } from '../pixels/index-kernel.ts';
import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import type { BandPlane } from './band-reader.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { Block, Pane, PaneStep } from './pane.ts';
import type { MaskRows } from './scene-mask.ts';

/** One acquisition as a pane sees it. */
interface PaneDate {
  /** Its place among the dates of the step. */
  readonly date: number;
  readonly bands: ReadonlyMap<string, BandPlane>;
  /** Rows of its mask that the pane lies in; null = all pixels are clear. */
  readonly mask: MaskRows | null;
  /** Whether its clear pixels count as observations of the year itself. */
  readonly inCore: boolean;
}

/** Computes the index values of one acquisition after the other, block by block, in one worker's memory. */
export class DateValues {
  readonly #kernels: Kernels;
  readonly #index: IndexKernel;
  /** Room for one block: mask bytes, a scratch line, and one expanded band per name. */
  readonly #mask: number;
  readonly #line: number;
  readonly #expanded: ReadonlyMap<string, number>;

  constructor(kernels: Kernels, bands: ReadonlySet<string>) {
    this.#kernels = kernels;
    this.#index = new IndexKernel(kernels);
    this.#mask = kernels.alloc(BLOCK_PIXELS + SLACK);
    this.#line = kernels.alloc(BLOCK_PIXELS + 2 * SLACK);
    this.#expanded = new Map([...bands].map((name) => [name, kernels.alloc(2 * BLOCK_PIXELS + SLACK)]));
  }

  /** Puts a date's values of a step's indices into the pane and counts its clear pixels; true where it gave any value. */
  add(pane: Pane, step: PaneStep, { date, bands, mask, inCore }: PaneDate): boolean {
    const rows = mask === null ? null : this.#copyMask(mask, pane);
    const { cols } = pane.window;
    let values = 0;
    for (const block of pane.blocks) {
      this.#expandMask(rows, block, cols);
      const operands = this.#operands(bands, block, cols);
      step.indices.forEach((index, rank) => {
        const dst = pane.dateAt(block, step, { date, rank, index });
        this.#index.run(index, operands, { mask: this.#mask, dst, pixels: block.pixels });
      });
      const [index] = step.indices;
      if (index === undefined) continue;
      const first = pane.dateAt(block, step, { date, rank: 0, index });
      if (inCore) values += this.#countClear(pane, block, first);
      else if (values === 0) values += this.#anyValue(first, block.pixels);
    }
    return values > 0;
  }

  #countClear({ seen, counts }: Pane, { first, pixels }: Block, values: number): number {
    return this.#kernels.run.countClear(values, seen + first, counts + 2 * first, pixels);
  }

  #anyValue(address: number, pixels: number): number {
    return this.#kernels.i16(address, pixels).some((value) => value !== INDEX_NODATA) ? 1 : 0;
  }

  #copyMask({ bytes, ...rows }: MaskRows, { bits }: Pane): CopiedMask {
    const length = Math.min(bytes.length, bits.bytes);
    this.#kernels.u8(bits.address, length).set(bytes.subarray(0, length));
    return { ...rows, address: bits.address };
  }

  /** The mask's bytes (0 / 255) for the pixels of one block. */
  #expandMask(mask: CopiedMask | null, block: Block, cols: number): void {
    if (mask === null) {
      this.#kernels.u8(this.#mask, block.pixels).fill(255);
      return;
    }
    const { address, stride, col, shift } = mask;
    const row = mask.row + block.row;
    this.#kernels.run.expandBits(address, stride, col, row, shift, cols, block.rows, this.#mask, this.#line);
  }

  /** Samples of each band for the pixels of one block; 20 m bands are repeated 2 x 2. */
  #operands(bands: ReadonlyMap<string, BandPlane>, block: Block, cols: number): ReadonlyMap<string, Operand> {
    const operands = new Map<string, Operand>();
    for (const [name, { address, stride, shift, col, row, offset, nodata }] of bands) {
      if (shift === 0) {
        operands.set(name, { address: address + 2 * block.row * stride, offset, nodata });
        continue;
      }
      const expanded = this.#expanded.get(name);
      if (expanded === undefined) throw new Error(`no room for band ${name}`);
      this.#kernels.run.expand16(address, 2 * stride, col, row + block.row, cols, block.rows, expanded);
      operands.set(name, { address: expanded, offset, nodata });
    }
    return operands;
  }
}

/** Mask rows in the kernels' memory. */
type CopiedMask = Omit<MaskRows, 'bytes'> & { readonly address: number };
