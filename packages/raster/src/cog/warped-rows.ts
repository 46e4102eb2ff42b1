import type { FileHandle } from 'node:fs/promises';
import type { PixelGrid, ScratchRaster, WorkContext } from '@headwater/core';
import type { Plane } from '@headwater/core/pixel-plan';
import { typeOf, createPixels } from '../pixels/pixel-array.ts';
import { sourceCoordinates } from '../warp/coordinates.ts';
import { ScratchRows } from '../warp/scratch-rows.ts';
import type { TouchedMask } from '../zonal/touched-mask.ts';

/** Number of rows that are warped at a time, which limits memory (two float64 per pixel) and the time until the event loop continues. */
const STEP = 128;

/** A raster to warp, its target grid, and the mask of the pixels with data. */
interface WarpInput {
  readonly raster: ScratchRaster;
  readonly grid: PixelGrid;
  readonly mask: TouchedMask;
  /** Value outside of the mask and of the raster, and of float values that are not finite. */
  readonly nodata: number;
  /** Called with all rows. */
  readonly tally: (rows: Plane) => void;
}

/** Warps a scratch raster to rows of another grid by nearest neighbour; nodata outside of the mask. */
export class WarpedRows {
  /** Pixels inside the mask. */
  inside = 0;
  readonly #input: WarpInput;
  readonly #context: WorkContext;
  readonly #source: ScratchRows;

  constructor(input: WarpInput, file: FileHandle, context: WorkContext) {
    this.#input = input;
    this.#context = context;
    this.#source = new ScratchRows(file, input.raster);
  }

  /** Rows [first, first + count), `[count * cols]`; throws the signal's reason when aborted. */
  async rows(first: number, count: number): Promise<Plane> {
    const { grid, raster, nodata, tally } = this.#input;
    const { cols, rows } = grid;
    const out: Plane = createPixels(typeOf(raster), count * cols);
    if (nodata !== 0) out.fill(nodata);
    for (let row = 0; row < count; row += STEP) {
      this.#context.signal.throwIfAborted();
      const step = Math.min(STEP, count - row);
      await this.#warp(first + row, out.subarray(row * cols, (row + step) * cols));
      this.#context.progress((first + row + step) / rows);
    }
    if (out instanceof Float32Array) clearNonFinite(out, nodata);
    tally(out);
    return out;
  }

  async #warp(first: number, out: Plane): Promise<void> {
    const { grid, mask, raster } = this.#input;
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
}

/** Replaces values that are not finite by nodata, because other programs would add them to their sums. */
function clearNonFinite(values: Float32Array, nodata: number): void {
  for (let at = 0; at < values.length; at += 1) if (!Number.isFinite(values[at]!)) values[at] = nodata;
}
