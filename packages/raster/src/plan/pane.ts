import type { IndexSpec } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { SLACK } from '../pixels/kernels.ts';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { BLOCK_PIXELS } from './block-function.ts';

/** Some whole rows of a pane, at most 4096 pixels, which one call of the block function processes. */
export interface Block {
  /** Index of the block's first row in the pane. */
  readonly row: number;
  readonly rows: number;
  /** Index of the block's first pixel in the pane. */
  readonly first: number;
  readonly pixels: number;
}

/** Divides a pane (part of the grid in memory) into blocks of whole rows. */
function blocksOf({ cols, rows }: PixelSize): Block[] {
  const most = Math.max(1, Math.floor(BLOCK_PIXELS / cols));
  return Array.from({ length: Math.ceil(rows / most) }, (_, k) => {
    const row = k * most;
    const count = Math.min(most, rows - row);
    return { row, rows: count, first: row * cols, pixels: count * cols };
  });
}

/** One compositing step of a pane: its number in the plan, its number of dates (solar days), and its indices. */
export interface PaneStep {
  readonly step: number;
  readonly dates: number;
  readonly indices: readonly IndexSpec[];
}

/** Numbers from which the sizes of a pane's memory follow. */
export interface PaneRoom {
  /** Indices of the plan. */
  readonly indices: readonly IndexSpec[];
  /** Steps with indices, in the order in which they are computed. */
  readonly steps: readonly PaneStep[];
  /**
   * Number of planes for the composites and for the days of a step, whose values are needed until their median is
   * computed (see `StepOrder`).
   */
  readonly planes: number;
  /** Maximum length of a row in the mask of any scene, bytes. */
  readonly maskRow: number;
}

/**
 * Memory of the pane (part of the grid) that is being computed: int16 planes in the kernels' memory, `[block][plane][pixels of the
 * block]`. All planes of one block are contiguous and have less than 1 MB, so loops over time stay in the L2 cache of the processor. The
 * composites of the steps use the planes from the first plane on, in the order of the steps. The values of the days of the current step
 * are in the last planes; composites of later steps may overwrite these.
 */
export class Pane {
  readonly window: PixelWindow;
  readonly blocks: readonly Block[];
  /** Address of the counts: the number of clear days of each pixel, uint16. */
  readonly counts: number;
  /**
   * Addresses of two arrays with one byte per pixel for the current day. `seen`: 255 if the pixel was counted. `claimed`: 255 if a scene
   * of the day has already observed the pixel.
   */
  readonly seen: number;
  readonly claimed: number;
  /** Addresses of the memory for the mask rows of one scene, for clear and for observed pixels. */
  readonly bits: { readonly clear: number; readonly observed: number; readonly bytes: number };
  readonly #kernels: Kernels;
  readonly #room: PaneRoom;
  readonly #planes: number;
  /** Index of the first plane of each step. */
  readonly #first = new Map<number, number>();
  /** For each index, the planes of its composites, in the order of time. */
  readonly #composites: ReadonlyMap<string, number[]>;
  /** Address of the memory for the series of all indices of one block. */
  readonly #series: number;

  /** Allocates the memory of the pane; the caller frees the memory by a reset of the kernels. */
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
    const bytes = (window.rows + 2) * room.maskRow + SLACK;
    this.bits = { clear: kernels.alloc(bytes), observed: kernels.alloc(bytes), bytes };
    kernels.u16(this.counts, pixels).fill(0);
  }

  /** Begins a new day, for which no pixel is counted or claimed yet. */
  startDay(): void {
    const pixels = this.window.cols * this.window.rows;
    this.#kernels.u8(this.seen, pixels).fill(0);
    this.#kernels.u8(this.claimed, pixels).fill(0);
  }

  /** Assigns a plane to each composite; returns the number of these planes. */
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

  /** Address of a composite for one block. `rank` is the position of the index in the step. */
  compositeAt(block: Block, { step }: PaneStep, rank: number): number {
    const first = this.#first.get(step);
    if (first === undefined) throw new Error(`no room for step ${step}`);
    return this.#planeAt(block, first + rank);
  }

  /**
   * Address of the values of one day for an index, for one block. If the step has only one day, this is the address of
   * the composite. The planes of the days may overlap with those of the step's composites. The order of the indices is
   * therefore important: if the medians of a block are computed in this order, no median overwrites values that are
   * still needed.
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
