import type { FileHandle } from 'node:fs/promises';
import type { PixelGrid, ScratchRaster, WorkContext } from '@headwater/core';
import { sourceCoordinates } from '../warp/coordinates.ts';
import { ScratchRows } from '../warp/scratch-rows.ts';
import type { TouchedMask } from '../zonal/touched-mask.ts';

/** Rows that are warped at a time: bounds memory (two float64 per pixel) and the time between two turns of the event loop. */
const STEP = 128;

/** What is warped, onto which grid, and which pixels of it are kept. */
interface WarpJob {
  readonly raster: ScratchRaster;
  readonly grid: PixelGrid;
  readonly mask: TouchedMask;
}

/** Makes rows of a scratch raster on another grid by nearest neighbour, zero outside the mask, and counts what it made. */
export class WarpedRows {
  /** Pixels per value, `[256]`. */
  readonly histogram = new Float64Array(256);
  /** Pixels inside the mask. */
  inside = 0;
  readonly #job: WarpJob;
  readonly #context: WorkContext;
  readonly #source: ScratchRows;

  constructor(job: WarpJob, file: FileHandle, context: WorkContext) {
    this.#job = job;
    this.#context = context;
    this.#source = new ScratchRows(file, job.raster.grid);
  }

  /** Rows [first, first + count), `[count * cols]`; throws the signal's reason when aborted. */
  async rows(first: number, count: number): Promise<Uint8Array> {
    const { cols, rows } = this.#job.grid;
    const out = new Uint8Array(count * cols);
    for (let row = 0; row < count; row += STEP) {
      this.#context.signal.throwIfAborted();
      const step = Math.min(STEP, count - row);
      await this.#warp(first + row, out.subarray(row * cols, (row + step) * cols));
      this.#context.progress((first + row + step) / rows);
    }
    this.#count(out);
    return out;
  }

  async #warp(first: number, out: Uint8Array): Promise<void> {
    const { grid, mask, raster } = this.#job;
    const rows = out.length / grid.cols;
    const extent = mask.extent(first, rows);
    if (extent === undefined) return;
    const cols = extent.right - extent.left;
    const points = sourceCoordinates(grid, { col: extent.left, row: first, cols, rows }, raster.grid.crs);
    await this.#source.loadAround(points);
    const touched = new Uint8Array(grid.cols);
    for (let row = 0; row < rows; row += 1) {
      touched.fill(0);
      mask.markRow(first + row, touched);
      const from = row * grid.cols + extent.left;
      const target = { touched: touched.subarray(extent.left, extent.right), out: out.subarray(from, from + cols) };
      this.inside += this.#source.sample(points, row * cols, target);
    }
  }

  /** Two tables in turn: a processor waits before it adds to the entry that it has just written. */
  #count(values: Uint8Array): void {
    const counts = new Uint32Array(512);
    for (let at = 0; at < values.length; at += 1) {
      const entry = values[at]! + ((at & 1) << 8);
      counts[entry] = counts[entry]! + 1;
    }
    for (let entry = 0; entry < 512; entry += 1) {
      this.histogram[entry & 255] = this.histogram[entry & 255]! + counts[entry]!;
    }
  }
}
