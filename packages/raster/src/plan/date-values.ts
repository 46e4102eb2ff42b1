import { INDEX_NODATA, type IndexSpec } from '@headwater/core/pixel-plan';
import { IndexKernel } from '../pixels/index-kernel.ts';
import type { Operand } from '../pixels/index-kernel.ts';
import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import type { BandPlane } from './band-reader.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { MaskLines } from './mask-lines.ts';
import type { Block, Pane, PaneStep } from './pane.ts';
import type { PaneMask } from './pane-mask.ts';
import type { PaneBands } from './section-bands.ts';

/** Day with one scene in a pane (part of the grid in memory). */
interface PaneDate {
  readonly date: number;
  readonly bands: PaneBands;
  /** Mask of the scene; null if all pixels are clear. */
  readonly mask: PaneMask | null;
  /** True if the clear pixels of the day are counted in this step (see `PixelPlan.core`). */
  readonly counted: boolean;
}

/** Computes the values of indices block by block, in the memory of one worker. */
export class DateValues {
  readonly #kernels: Kernels;
  readonly #lines: MaskLines;
  readonly #index: IndexKernel;
  readonly #mask: number;
  readonly #expanded: ReadonlyMap<string, number>;

  constructor(kernels: Kernels, lines: MaskLines, bands: ReadonlySet<string>) {
    this.#kernels = kernels;
    this.#lines = lines;
    this.#index = new IndexKernel(kernels);
    this.#mask = kernels.alloc(BLOCK_PIXELS + SLACK);
    this.#expanded = new Map([...bands].map((name) => [name, kernels.alloc(2 * BLOCK_PIXELS + SLACK)]));
  }

  /**
   * Writes the values of a day with one scene to the pane. If `counted` is true, also counts the clear pixels. Returns
   * true if there is any value.
   */
  add(pane: Pane, step: PaneStep, { date, bands, mask, counted }: PaneDate): boolean {
    const clear = mask?.clear ?? null;
    const to = { address: pane.bits.clear, packedAt: pane.bits.packed };
    const bits = mask === null || clear === null ? null : this.#lines.copy(clear, mask, to);
    const { cols } = pane.window;
    let values = 0;
    for (const block of pane.blocks) {
      this.#lines.expand(bits, block, { cols, to: this.#mask, otherwise: 255 });
      const at = (rank: number): number => pane.dateAt(block, step, { date, rank });
      this.run(step.indices, { bands, block, cols, mask: this.#mask }, at);
      if (counted) values += this.count(pane, block, at(0));
      else if (values === 0) values += this.#anyValue(at(0), block.pixels);
    }
    return values > 0;
  }

  /**
   * Computes the indices of one block. `at` returns the address for the result of the index at position `rank`. `mask`:
   * address of one byte per pixel, 255 for a clear pixel, otherwise 0.
   */
  run(
    indices: readonly IndexSpec[],
    from: { readonly bands: PaneBands; readonly block: Block; readonly cols: number; readonly mask: number },
    at: (rank: number) => number,
  ): void {
    const operands = this.#operands(from.bands, from.block, from.cols);
    indices.forEach((index, rank) => {
      this.#index.run(index, operands, { mask: from.mask, dst: at(rank), pixels: from.block.pixels });
    });
  }

  /**
   * Adds 1 to the count of each pixel that has a value, at most once per day. Returns the number of pixels with a
   * value.
   */
  count({ seen, counts }: Pane, { first, pixels }: Block, values: number): number {
    return this.#kernels.run.countClear(values, seen + first, counts + 2 * first, pixels);
  }

  #anyValue(address: number, pixels: number): number {
    return this.#kernels.i16(address, pixels).some((value) => value !== INDEX_NODATA) ? 1 : 0;
  }

  /** Samples of the bands under a block, by name. Each sample of a 20 m band is copied to 2 x 2 pixels. */
  #operands(bands: ReadonlyMap<string, BandPlane>, block: Block, cols: number): ReadonlyMap<string, Operand> {
    const operands = new Map<string, Operand>();
    for (const [name, { address, stride, shift, col, row, offset, nodata }] of bands) {
      if (shift === 0) {
        operands.set(name, { address: address + 2 * block.row * stride, offset, nodata });
        continue;
      }
      const expanded = this.#expanded.get(name);
      if (expanded === undefined) throw new Error(`no memory was reserved for band ${name}`);
      this.#kernels.run.expand16(address, 2 * stride, col, row + block.row, cols, block.rows, expanded);
      operands.set(name, { address: expanded, offset, nodata });
    }
    return operands;
  }
}
