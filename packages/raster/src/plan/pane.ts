import type { IndexSpec } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { SLACK } from '../pixels/kernels.ts';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { BLOCK_PIXELS } from './block-function.ts';

/** Whole rows of a pane, at most 4096 pixels, for one call of the block function. */
export interface Block {
  /** First row in the pane. */
  readonly row: number;
  readonly rows: number;
  /** First pixel in the pane. */
  readonly first: number;
  readonly pixels: number;
}

/** Cuts a pane into blocks; a row must fit in one block. */
function blocksOf({ cols, rows }: PixelSize): Block[] {
  const most = Math.max(1, Math.floor(BLOCK_PIXELS / cols));
  return Array.from({ length: Math.ceil(rows / most) }, (_, k) => {
    const row = k * most;
    const count = Math.min(most, rows - row);
    return { row, rows: count, first: row * cols, pixels: count * cols };
  });
}

/** First plane of each index in a pane's series: index after index, with steps `from` .. `to` of each. */
export interface SeriesPlanes {
  readonly total: number;
  readonly first: ReadonlyMap<string, number>;
}

/** Numbers the planes of the series of some indices. */
export function seriesPlanes(indices: readonly IndexSpec[]): SeriesPlanes {
  const first = new Map<string, number>();
  let total = 0;
  for (const index of indices) {
    first.set(index.name, total);
    total += Math.max(0, index.to - index.from);
  }
  return { total, first };
}

/** One compositing step of a pane: its number in the plan, its number of dates (solar days), and its indices. */
export interface PaneStep {
  readonly step: number;
  readonly dates: number;
  readonly indices: readonly IndexSpec[];
}

/** Sizes of a pane's memory. */
export interface PaneRoom {
  readonly series: SeriesPlanes;
  /** Number of planes for the dates of one step, before their median is computed. */
  readonly dates: number;
  /** Maximum bytes of one row of any scene's mask. */
  readonly maskRow: number;
}

/**
 * The pane that is being computed: int16 planes in the kernels' memory, block by block, `[block][plane][pixels of the block]`. All
 * planes of one block are contiguous (under 1 MB), so that loops over time stay in the L2 cache and planes never alias in L1.
 */
export class Pane {
  readonly window: PixelWindow;
  readonly blocks: readonly Block[];
  /** Address of the number of clear dates of each pixel, uint16. */
  readonly counts: number;
  /**
   * Addresses of one byte per pixel for the current day. `seen`: the pixel was counted. `claimed`: a scene of the day already observed the
   * pixel.
   */
  readonly seen: number;
  readonly claimed: number;
  /** Memory for the rows of one scene's mask: clear and observed pixels. */
  readonly bits: { readonly clear: number; readonly observed: number; readonly bytes: number };
  readonly #kernels: Kernels;
  readonly #room: PaneRoom;
  readonly #series: number;
  readonly #dates: number;

  /** Allocates the memory of the pane; the caller frees it by a reset of the kernels. */
  constructor(window: PixelWindow, room: PaneRoom, kernels: Kernels) {
    const pixels = window.cols * window.rows;
    this.window = window;
    this.blocks = blocksOf(window);
    this.#kernels = kernels;
    this.#room = room;
    this.#series = kernels.alloc(2 * pixels * room.series.total + SLACK);
    this.#dates = kernels.alloc(2 * pixels * room.dates + SLACK);
    this.counts = kernels.alloc(2 * pixels + SLACK);
    this.seen = kernels.alloc(pixels + SLACK);
    this.claimed = kernels.alloc(pixels + SLACK);
    const bytes = (window.rows + 2) * room.maskRow + SLACK;
    this.bits = { clear: kernels.alloc(bytes), observed: kernels.alloc(bytes), bytes };
    kernels.u16(this.counts, pixels).fill(0);
  }

  /** Begins a new day: nothing is counted or observed yet. */
  startDay(): void {
    const pixels = this.window.cols * this.window.rows;
    this.#kernels.u8(this.seen, pixels).fill(0);
    this.#kernels.u8(this.claimed, pixels).fill(0);
  }

  /** Address of the composite of an index at a step, for one block. */
  compositeAt(block: Block, index: IndexSpec, step: number): number {
    return this.#seriesAt(block, index) + 2 * block.pixels * (step - index.from);
  }

  /** Address of the values of one date (`rank`: the index's position in its step). With only one date it is the address of the composite. */
  dateAt(block: Block, at: PaneStep, { date, rank, index }: { date: number; rank: number; index: IndexSpec }): number {
    if (at.dates === 1) return this.compositeAt(block, index, at.step);
    return this.#dates + 2 * (block.first * this.#room.dates + block.pixels * (rank * at.dates + date));
  }

  /** Composites of an index for one block: `[to - from][pixels]`. */
  seriesOf(block: Block, index: IndexSpec): Int16Array {
    return this.#kernels.i16(this.#seriesAt(block, index), Math.max(0, index.to - index.from) * block.pixels);
  }

  /** Number of clear dates of each pixel of one block: `[pixels]`. */
  clearOf(block: Block): Uint16Array {
    return this.#kernels.u16(this.counts + 2 * block.first, block.pixels);
  }

  #seriesAt(block: Block, index: IndexSpec): number {
    const { total, first } = this.#room.series;
    const plane = first.get(index.name);
    if (plane === undefined) throw new Error(`no room for index ${index.name}`);
    return this.#series + 2 * (block.first * total + block.pixels * plane);
  }
}
