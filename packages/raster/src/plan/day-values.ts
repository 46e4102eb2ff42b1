import { INDEX_NODATA } from '@headwater/core/pixel-plan';
import { SLACK } from '../pixels/kernels.ts';
import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import type { DateValues } from './date-values.ts';
import type { CopiedBits, MaskLines } from './mask-lines.ts';
import type { Block, Pane, PaneStep } from './pane.ts';
import type { PaneMask } from './pane-mask.ts';
import type { PaneBands } from './section-bands.ts';

/** Unpacked mask of a scene. `clear` or `observed` is null if all its bytes are equal (see `otherwise`). */
interface SceneBits {
  readonly clear: CopiedBits | null;
  readonly observed: CopiedBits | null;
  /** Byte of all pixels if `clear` or `observed` is null. */
  readonly otherwise: { readonly clear: 0 | 255; readonly observed: 0 | 255 };
}

/** `indices`: number of indices of the plan, at least 1. No step has more indices. */
interface DayTools {
  readonly lines: MaskLines;
  readonly values: DateValues;
  readonly indices: number;
}

const VALUES_BYTES = 2 * BLOCK_PIXELS + SLACK;

/**
 * Merges the scenes of a day. The first scene that observed a pixel claims it: the value of the pixel comes from this
 * scene.
 */
export class DayValues {
  readonly #kernels: Kernels;
  readonly #lines: MaskLines;
  readonly #values: DateValues;
  readonly #clear: number;
  readonly #observed: number;
  readonly #block: number;
  readonly #profile: number;

  constructor(kernels: Kernels, { lines, values, indices }: DayTools) {
    this.#kernels = kernels;
    this.#lines = lines;
    this.#values = values;
    this.#clear = kernels.alloc(BLOCK_PIXELS + SLACK);
    this.#observed = kernels.alloc(BLOCK_PIXELS + SLACK);
    this.#block = kernels.alloc(indices * VALUES_BYTES);
    this.#profile = kernels.alloc(BLOCK_PIXELS + SLACK);
  }

  /** Begins a day: sets its values in the pane to nodata. */
  open(pane: Pane, step: PaneStep, date: number): void {
    for (const block of pane.blocks) {
      step.indices.forEach((_, rank) => {
        this.#kernels.run.fill16(pane.dateAt(block, step, { date, rank }), block.pixels, INDEX_NODATA);
      });
    }
  }

  bitsOf(pane: Pane, mask: PaneMask | null): SceneBits {
    if (mask === null) return { clear: null, observed: null, otherwise: { clear: 255, observed: 255 } };
    const observed = mask.observed ?? mask.clear;
    const { clear: address, observed: observedAt, packed: packedAt } = pane.bits;
    return {
      clear: mask.clear === null ? null : this.#lines.copy(mask.clear, mask, { address, packedAt }),
      observed: observed === null ? null : this.#lines.copy(observed, mask, { address: observedAt, packedAt }),
      otherwise: { clear: 0, observed: 0 },
    };
  }

  /** Window of all clear pixels of the scene that no earlier scene observed; null for none. */
  unclaimed(pane: Pane, bits: SceneBits): PixelWindow | null {
    const { col, row, cols } = pane.window;
    this.#kernels.u8(this.#profile, cols).fill(0);
    const blocks = pane.blocks.filter((block) => this.#take(pane, bits, block));
    const [first, last] = [blocks[0], blocks.at(-1)];
    if (first === undefined || last === undefined) return null;
    const profile = this.#kernels.u8(this.#profile, cols);
    const [left, right] = [profile.findIndex((byte) => byte !== 0), profile.findLastIndex((byte) => byte !== 0)];
    return { col: col + left, row: row + first.row, cols: right - left + 1, rows: last.row + last.rows - first.row };
  }

  claim(pane: Pane, bits: SceneBits): void {
    for (const block of pane.blocks) {
      this.#kernels.u8(this.#clear, block.pixels).fill(0);
      this.#claimBlock(pane, bits, block);
    }
  }

  /** Adds the values of a scene for pixels that no earlier scene observed; true if there is any value. */
  merge(
    pane: Pane,
    step: PaneStep,
    { date, bands, bits }: { readonly date: number; readonly bands: PaneBands; readonly bits: SceneBits },
  ): boolean {
    const { cols } = pane.window;
    let valueCount = 0;
    for (const block of pane.blocks) {
      // A block without a usable pixel is skipped, because the tiles under it may not have been read.
      const some = this.#take(pane, bits, block);
      if (!some) {
        this.#claimBlock(pane, bits, block);
        continue;
      }
      const from = { bands, block, cols, mask: this.#clear };
      this.#values.run(step.indices, from, (rank) => this.#values16(rank));
      valueCount += this.#claimBlock(pane, bits, block);
      step.indices.forEach((_, rank) => {
        this.#kernels.run.merge16(this.#values16(rank), pane.dateAt(block, step, { date, rank }), block.pixels);
      });
    }
    return valueCount > 0;
  }

  /** Ends a day: adds its clear pixels to the counts. */
  close(pane: Pane, step: PaneStep, date: number): void {
    for (const block of pane.blocks) {
      this.#values.count(pane, block, pane.dateAt(block, step, { date, rank: 0 }));
    }
  }

  #values16(rank: number): number {
    return this.#block + rank * VALUES_BYTES;
  }

  #take(pane: Pane, bits: SceneBits, block: Block): boolean {
    const { cols } = pane.window;
    this.#lines.expand(bits.clear, block, { cols, to: this.#clear, otherwise: bits.otherwise.clear });
    const { takeUnclaimed } = this.#kernels.run;
    return takeUnclaimed(this.#clear, pane.claimed + block.first, this.#profile, cols, block.rows) !== 0;
  }

  /** Claims observed pixels, except pixels with a missing value. Returns the number of values. */
  #claimBlock(pane: Pane, bits: SceneBits, block: Block): number {
    const { cols } = pane.window;
    this.#lines.expand(bits.observed, block, { cols, to: this.#observed, otherwise: bits.otherwise.observed });
    const claimed = pane.claimed + block.first;
    return this.#kernels.run.claimObserved(this.#observed, this.#clear, this.#block, claimed, block.pixels);
  }
}
