import type { IndexSpec } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { SLACK } from '../pixels/kernels.ts';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { BLOCK_PIXELS } from './block-function.ts';
import { bitBytes } from './pane-mask.ts';

/** Whole rows of a pane, at most 4096 pixels, for one call of the block function. */
export interface Block {
  /** Index of the first row in the pane. */
  readonly row: number;
  readonly rows: number;
  /** Index of the first pixel in the pane. */
  readonly first: number;
  readonly pixels: number;
}

function blocksOf({ cols, rows }: PixelSize): Block[] {
  const most = Math.max(1, Math.floor(BLOCK_PIXELS / cols));
  return Array.from({ length: Math.ceil(rows / most) }, (_, k) => {
    const row = k * most;
    const count = Math.min(most, rows - row);
    return { row, rows: count, first: row * cols, pixels: count * cols };
  });
}

/** Compositing step of a pane: number in the plan, number of days, and indices. */
export interface PaneStep {
  readonly step: number;
  readonly dates: number;
  readonly indices: readonly IndexSpec[];
}

/** Numbers that determine the size of a pane's memory. */
export interface PaneRoom {
  readonly indices: readonly IndexSpec[];
  /** Steps with indices, in the order of their computation. */
  readonly steps: readonly PaneStep[];
  /** Number of planes for composites and days together (see `StepOrder`). */
  readonly planes: number;
  readonly maskRow: number;
}

/**
 * Memory of a pane (part of the grid in work): int16 planes, `[block][plane][pixels of the block]`. The planes of a
 * block fit into the L2 cache of the processor. Days of the current step use the last planes, which later composites
 * overwrite.
 */
export class Pane {
  readonly window: PixelWindow;
  readonly blocks: readonly Block[];
  /** Address of the counts: clear days of each pixel, uint16. */
  readonly counts: number;
  /**
   * One byte per pixel for the current day. `seen`: 255 if the pixel was counted. `claimed`: 255 if a scene observed
   * the pixel.
   */
  readonly seen: number;
  readonly claimed: number;
  /** Addresses for the mask bits of the current scene, and for packed bits. */
  readonly bits: { readonly clear: number; readonly observed: number; readonly packed: number };
  readonly #kernels: Kernels;
  readonly #room: PaneRoom;
  readonly #planes: number;
  readonly #first = new Map<number, number>();
  readonly #composites: ReadonlyMap<string, number[]>;
  readonly #series: number;

  /** Allocates the memory of the pane. The caller frees it by a reset of the kernels. */
  constructor(window: PixelWindow, room: PaneRoom, kernels: Kernels) {
    const pixels = window.cols * window.rows;
    this.window = window;
    this.blocks = blocksOf(window);
    this.#kernels = kernels;
    this.#room = room;
    this.#planes = kernels.alloc(2 * pixels * room.planes + SLACK);
    this.#composites = new Map(room.indices.map(({ name }) => [name, []]));
    const total = this.#placeSteps(room.steps);
    const largest = Math.max(0, ...this.blocks.map((block) => block.pixels));
    this.#series = kernels.alloc(2 * largest * total + SLACK);
    this.counts = kernels.alloc(2 * pixels + SLACK);
    this.seen = kernels.alloc(pixels + SLACK);
    this.claimed = kernels.alloc(pixels + SLACK);
    const bytes = bitBytes(window.rows + 2, room.maskRow);
    this.bits = { clear: kernels.alloc(bytes), observed: kernels.alloc(bytes), packed: kernels.alloc(bytes) };
    kernels.u16(this.counts, pixels).fill(0);
  }

  /** Begins a day: no pixel is counted or claimed. */
  startDay(): void {
    const pixels = this.window.cols * this.window.rows;
    this.#kernels.u8(this.seen, pixels).fill(0);
    this.#kernels.u8(this.claimed, pixels).fill(0);
  }

  #placeSteps(steps: readonly PaneStep[]): number {
    let total = 0;
    for (const { step, indices } of steps) {
      this.#first.set(step, total);
      for (const { name, from } of indices) {
        const planes = this.#composites.get(name);
        if (planes !== undefined) planes[step - from] = total++;
      }
    }
    return total;
  }

  /** Address of a composite for one block. `rank`: position of the index in the step. */
  compositeAt(block: Block, { step }: PaneStep, rank: number): number {
    const first = this.#first.get(step);
    if (first === undefined) throw new Error(`no memory was reserved for the composites of step ${step}`);
    return this.#planeAt(block, first + rank);
  }

  /**
   * Address of the values of one day for an index and a block. The planes may overlap with composites of the step, so
   * medians must be computed in the order of the indices.
   */
  dateAt(block: Block, at: PaneStep, { date, rank }: { readonly date: number; readonly rank: number }): number {
    const { dates, indices } = at;
    if (dates === 1) return this.compositeAt(block, at, rank);
    return this.#planeAt(block, this.#room.planes - (indices.length - rank) * dates + date);
  }

  /**
   * Copies the composites of all indices for one block: `[to - from][pixels]` each. The copies are valid until the next
   * call.
   */
  seriesOf(block: Block): Readonly<Record<string, Int16Array>> {
    const { pixels } = block;
    let at = this.#series;
    const found: Record<string, Int16Array> = {};
    for (const [name, planes] of this.#composites) {
      planes.forEach((plane, i) =>
        this.#kernels.run.copyRows(this.#planeAt(block, plane), 0, at + 2 * pixels * i, 0, 2 * pixels, 1),
      );
      found[name] = this.#kernels.i16(at, planes.length * pixels);
      at += 2 * pixels * planes.length;
    }
    return found;
  }

  /** Number of clear days of each pixel of one block: `[pixels]`. */
  clearOf(block: Block): Uint16Array {
    return this.#kernels.u16(this.counts + 2 * block.first, block.pixels);
  }

  #planeAt({ first, pixels }: Block, plane: number): number {
    return this.#planes + 2 * (first * this.#room.planes + pixels * plane);
  }
}
