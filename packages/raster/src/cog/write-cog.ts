import { open, type FileHandle } from 'node:fs/promises';
import type { Plane, PlaneType } from '@headwater/core/pixel-plan';
import type { WorkContext, WrittenRaster, PixelGrid, ScratchRaster } from '@headwater/core';
import type { WriteCogRequest, ValueStatistics } from '@headwater/core/ports';
import { typeOf, createPixels } from '../pixels/pixel-array.ts';
import type { ScratchSpace } from '../files/scratch-space.ts';
import { checkNodata } from '../pixels/nodata.ts';
import { TouchedMask } from '../zonal/zonal.ts';
import { checkFormat, type CogFormat, type RowSource } from './cog-image.ts';
import { writeCogRows } from './geotiff-writer.ts';
import { type Coordinates, coordinatesInTurn } from '../warp/coordinates.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { ScratchRows } from '../warp/scratch-rows.ts';

interface WriteCogOptions {
  readonly scratch: ScratchSpace;
  readonly threads: number;
}

/**
 * Predictors for measured values, which differ little from their neighbours. Class codes have no predictor, because
 * equal codes compress better without one.
 */
const PREDICTORS = { uint8: 2, int16: 2, float32: 3 } as const satisfies Record<PlaneType, 2 | 3>;

/**
 * Warps a scratch raster to the request's grid by nearest neighbour, and writes a COG of its type. Pixels outside of
 * the clip become nodata. With a palette, the file has a colour table, otherwise statistics. Throws `input_data` for an
 * unknown CRS, and for a palette or nodata value that the type cannot have. Throws `storage_full` if the disk is full,
 * and the reason of an abort.
 */
export async function writeCog(
  request: WriteCogRequest,
  context: WorkContext,
  options: WriteCogOptions,
): Promise<WrittenRaster> {
  const { raster, grid, path, nodata = 0 } = request;
  const type = typeOf(raster);
  const values = request.palette === undefined ? new ValueTally(nodata) : undefined;
  const format = { ...formatOf(request, options.threads), statistics: () => values?.statistics() };
  checkFormat(format, type);
  checkNodata(nodata, type);
  const classes = new ClassTally();
  const tally = (rows: Plane): void => {
    if (rows instanceof Uint8Array) classes.add(rows);
    values?.add(rows);
  };
  const mask = new TouchedMask(request.clip, grid);
  const file = await open(options.scratch.pathOf(raster), 'r');
  try {
    const warped = new WarpedRows({ raster, grid, mask, nodata, tally }, file, context);
    const rows: RowSource = (first, count) => warped.rows(first, count);
    const digest = await writeCogRows(path, format, { type, rows });
    const histogram = type === 'uint8' ? Array.from(classes.histogram) : [];
    const statistics = values?.statistics();
    const found = { path, ...digest, grid, histogram, inside: warped.inside };
    return statistics === undefined ? found : { ...found, statistics };
  } finally {
    await file.close();
  }
}

function formatOf(
  { raster, grid, palette, names, description, nodata = 0, overviews = 'mode', sparse = false }: WriteCogRequest,
  threads: number,
): CogFormat {
  return {
    grid,
    nodata,
    overviews,
    sparse,
    ...(palette === undefined ? {} : { palette }),
    ...(names === undefined ? {} : { names }),
    ...(description === undefined ? {} : { description }),
    predictor: palette === undefined ? PREDICTORS[typeOf(raster)] : 1,
    tileSize: 512,
    threads,
  };
}

/** Number of rows of one step. It limits the memory and the time for which the event loop is blocked. */
const STEP = 128;

interface WarpInput {
  readonly raster: ScratchRaster;
  readonly grid: PixelGrid;
  readonly mask: TouchedMask;
  readonly nodata: number;
  readonly tally: (rows: Plane) => void;
}

class WarpedRows {
  inside = 0;
  readonly #input: WarpInput;
  readonly #context: WorkContext;
  readonly #source: ScratchRows;
  readonly #coordinates: (window: PixelWindow) => Coordinates;

  constructor(input: WarpInput, file: FileHandle, context: WorkContext) {
    this.#input = input;
    this.#context = context;
    this.#source = new ScratchRows(file, input.raster);
    this.#coordinates = coordinatesInTurn(input.grid, input.raster.grid.crs);
  }

  /** Returns the rows [first, first + count). Throws the reason of an abort. */
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
    const { grid, mask } = this.#input;
    const rows = out.length / grid.cols;
    const extent = mask.extent(first, rows);
    if (extent === undefined) return;
    const cols = extent.right - extent.left;
    const points = this.#coordinates({ col: extent.left, row: first, cols, rows });
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

function clearNonFinite(values: Float32Array, nodata: number): void {
  for (let at = 0; at < values.length; at += 1) if (!Number.isFinite(values[at]!)) values[at] = nodata;
}

class ClassTally {
  readonly histogram = new Float64Array(256);

  /** Counts values in two tables alternately: the processor waits if it adds to the same entry twice in a row. */
  add(values: Uint8Array): void {
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

/**
 * Merges the statistics of strips (Chan, Golub and LeVeque 1983). This is precise even for heights of 8000 m that
 * differ by centimetres.
 */
class ValueTally {
  readonly #nodata: number;
  #total = 0;
  #count = 0;
  #mean = 0;
  #squares = 0;
  #minimum = Number.POSITIVE_INFINITY;
  #maximum = Number.NEGATIVE_INFINITY;

  constructor(nodata: number) {
    this.#nodata = nodata;
  }

  add(values: Plane): void {
    this.#total += values.length;
    const { count, sum } = this.#range(values);
    if (count === 0) return;
    const mean = sum / count;
    let squares = 0;
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      if (value !== this.#nodata && !Number.isNaN(value)) squares += (value - mean) ** 2;
    }
    const [before, shift] = [this.#count, mean - this.#mean];
    this.#count += count;
    this.#mean += (shift * count) / this.#count;
    this.#squares += squares + (shift * shift * before * count) / this.#count;
  }

  #range(values: Plane): { readonly count: number; readonly sum: number } {
    let [count, sum, low, high] = [0, 0, this.#minimum, this.#maximum];
    for (let at = 0; at < values.length; at += 1) {
      const value = values[at]!;
      if (value === this.#nodata || Number.isNaN(value)) continue;
      count += 1;
      sum += value;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    this.#minimum = low;
    this.#maximum = high;
    return { count, sum };
  }

  statistics(): ValueStatistics | undefined {
    if (this.#count === 0) return undefined;
    return {
      minimum: this.#minimum,
      maximum: this.#maximum,
      mean: this.#mean,
      stddev: Math.sqrt(this.#squares / this.#count),
      count: this.#count,
      validPercent: (100 * this.#count) / this.#total,
    };
  }
}
