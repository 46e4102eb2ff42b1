import type { IndexSpec } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';

/** Most pixels of one chunk: what a block function gets at once. */
export const CHUNK_PIXELS = 4096;
/** Bytes after each region that vector loads may touch. */
export const SLACK = 64;

/** How the pixels of a cell fall into chunks of whole rows. */
export interface Chunks {
  readonly cols: number;
  readonly rows: number;
  /** Rows of every chunk but the last. */
  readonly chunkRows: number;
  readonly count: number;
}

/** Chunks of at most 4096 pixels; a row must not be longer. */
export function chunksOf(cols: number, rows: number): Chunks {
  const chunkRows = Math.max(1, Math.floor(CHUNK_PIXELS / cols));
  return { cols, rows, chunkRows, count: Math.ceil(rows / chunkRows) };
}

/** First row and number of rows of chunk `k`. */
export function chunkRowsAt(chunks: Chunks, k: number): { row: number; rows: number } {
  const row = k * chunks.chunkRows;
  return { row, rows: Math.min(chunks.chunkRows, chunks.rows - row) };
}

/**
 * int16 planes of one cell, chunk by chunk: `[chunk][plane][pixels of the chunk]`. All planes of one chunk lie side by side
 * (under 1 MB), so that what runs over time stays in the L2 cache and planes never alias in L1.
 */
export class PlaneStack {
  readonly address: number;
  readonly planes: number;
  readonly #chunks: Chunks;

  constructor(kernels: Kernels, chunks: Chunks, planes: number) {
    this.address = kernels.alloc(2 * chunks.cols * chunks.rows * planes + SLACK);
    this.planes = planes;
    this.#chunks = chunks;
  }

  /** Address of one plane of chunk `k`. */
  at(k: number, plane: number): number {
    const { cols } = this.#chunks;
    const { row, rows } = chunkRowsAt(this.#chunks, k);
    return this.address + 2 * cols * (row * this.planes + rows * plane);
  }
}

/** First plane of each index in a cell's series: indices one after the other, steps `from` .. `to` of each. */
export function seriesPlanes(indices: readonly IndexSpec[]): {
  readonly total: number;
  readonly first: ReadonlyMap<string, number>;
} {
  const first = new Map<string, number>();
  let total = 0;
  for (const index of indices) {
    first.set(index.name, total);
    total += Math.max(0, index.to - index.from);
  }
  return { total, first };
}
