import type { IndexFormula, PixelGrid } from '@headwater/core';
import { isDomainError } from '@headwater/core/errors';
import type { Kernels } from '../pixels/kernels.ts';
import { sourceCoordinates } from '../warp/coordinates.ts';
import type { Coordinates } from '../warp/coordinates.ts';
import { createPixels } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-array.ts';
import type { PreparedBand, PreparedScene } from './prepared.ts';
import { sampleBilinear, sourceWindow } from '../warp/resample.ts';
import type { SceneFiles } from './scene-files.ts';
import { SLACK } from './pane.ts';

/** 16-bit samples of one band in the kernels' memory; pixel (x, y) of the cell is sample ((x + col) >> shift, (y + row) >> shift). */
export interface BandPlane {
  readonly address: number;
  /** Samples per row. */
  readonly stride: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Thrown by a worker when a file breaks while it is read: the scene is to be left out. */
export class SceneFailure extends Error {
  override readonly name = 'SceneFailure';
  readonly sceneId: string;
  constructor(sceneId: string, reason: string) {
    super(reason);
    this.sceneId = sceneId;
  }
}

/** Runs a read of one scene; a broken file becomes a `SceneFailure`, anything else stays what it is. */
export async function readingScene<T>(scene: PreparedScene, read: () => Promise<T>): Promise<T> {
  try {
    return await read();
  } catch (error) {
    if (isDomainError(error) && error.code === 'input_data') throw new SceneFailure(scene.id, error.message);
    throw error;
  }
}

/** Bytes that the samples of a band need for a window of the grid. */
export function planeBytes(window: PixelWindow): number {
  return 2 * (window.cols + 2) * (window.rows + 2) + SLACK;
}

/** What a band is read for. */
export interface PlaneRequest {
  readonly band: PreparedBand;
  /** Window of the plan's grid. */
  readonly window: PixelWindow;
  readonly grid: PixelGrid;
  /** Where the samples go: `planeBytes(window)` bytes. */
  readonly address: number;
  /** `ratio` wants unsigned DNs, `band` the samples as they are. */
  readonly use: IndexFormula['kind'];
}

/** Reads bands for windows of the grid, resampling those that are not aligned with it. */
export class PlaneReader {
  readonly #files: SceneFiles;
  /** Coordinates of the window worked on, by CRS: 16 bytes a pixel, so one window only. */
  #coordinates = new Map<string, Coordinates>();
  #window: PixelWindow | null = null;
  decoded = 0;

  constructor(files: SceneFiles) {
    this.#files = files;
  }

  get kernels(): Kernels {
    return this.#files.decoder.kernels;
  }

  /** Loads the samples; throws `input_data` where the file is broken. */
  async load(request: PlaneRequest): Promise<BandPlane> {
    const { band, window, address } = request;
    if (band.alignment.kind === 'warp') return this.#loadWarped(request);
    const { shift } = band.alignment;
    const [col, row] = [band.alignment.col + window.col, band.alignment.row + window.row];
    const native = { col: col >> shift, row: row >> shift, cols: 0, rows: 0 };
    native.cols = ((col + window.cols - 1) >> shift) - native.col + 1;
    native.rows = ((row + window.rows - 1) >> shift) - native.row + 1;
    await this.#read(request, native, address);
    return { address, stride: native.cols, shift, col: col - (native.col << shift), row: row - (native.row << shift) };
  }

  async #read(request: PlaneRequest, native: PixelWindow, address: number): Promise<void> {
    const { band, use } = request;
    const file = this.#files.get(band);
    const { kernels } = this.#files.decoder;
    const pixels = native.cols * native.rows;
    if (file.dtype === 'uint8') {
      const bytes = new Uint8Array(pixels);
      this.decoded += await file.readWindow(native, bytes);
      kernels.u16(address, pixels).set(bytes);
      return;
    }
    this.decoded += await file.readWindowAt(native, address);
    if (file.dtype === 'int16' && use === 'ratio') toUnsigned(kernels.i16(address, pixels), band.nodata);
  }

  async #loadWarped({ band, window, grid, address, use }: PlaneRequest): Promise<BandPlane> {
    const { kernels } = this.#files.decoder;
    const file = this.#files.get(band);
    const pixels = window.cols * window.rows;
    const outside = band.nodata ?? 0;
    const plane = { address, stride: window.cols, shift: 0, col: 0, row: 0 } as const;
    const native = sourceWindow(grid, window, { grid: file.grid, margin: 2 });
    if (native === null) {
      kernels.i16(address, pixels).fill(outside);
    } else {
      const samples = createPixels(file.dtype, native.cols * native.rows);
      this.decoded += await file.readWindow(native, samples);
      const target = file.dtype === 'int16' ? kernels.i16(address, pixels) : kernels.u16(address, pixels);
      const patch = { grid: file.grid, window: native, pixels: samples, nodata: band.nodata };
      sampleBilinear(patch, this.#coordinatesOf(grid, window, file.grid.crs), { target, outside });
    }
    if (file.dtype === 'int16' && use === 'ratio') toUnsigned(kernels.i16(address, pixels), band.nodata);
    return plane;
  }

  #coordinatesOf(grid: PixelGrid, window: PixelWindow, crs: string): Coordinates {
    if (this.#window !== window) this.#coordinates = new Map();
    this.#window = window;
    const known = this.#coordinates.get(crs) ?? sourceCoordinates(grid, window, crs);
    this.#coordinates.set(crs, known);
    return known;
  }
}

/** DN of signed files that stands for no data once they are read for a ratio. */
const SIGNED_NODATA = 0x8000;

/** Signed reflectances below 0 become 0, as the formula clamps them anyway; no data becomes 0x8000. */
function toUnsigned(samples: Int16Array, nodata: number | null): void {
  for (let i = 0; i < samples.length; i++) {
    const value = samples[i] ?? 0;
    if (value === nodata) samples[i] = -SIGNED_NODATA;
    else if (value < 0) samples[i] = 0;
  }
}

/** Nodata of the samples as `load` leaves them: an unsigned 16-bit pattern, or null. */
export function sampleNodata({ band, use }: Pick<PlaneRequest, 'band' | 'use'>): number | null {
  const { nodata, layout } = band;
  if (nodata === null || !Number.isInteger(nodata)) return null;
  if (layout.dtype === 'int16') return use === 'ratio' ? SIGNED_NODATA : nodata & 0xffff;
  return nodata < 0 || nodata > 0xffff ? null : nodata;
}
