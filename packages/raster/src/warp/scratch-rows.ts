import type { FileHandle } from 'node:fs/promises';
import type { PixelGrid, ScratchRaster } from '@headwater/core';
import type { Plane, PlaneType } from '@headwater/core/pixel-plan';
import { typeOf, bytesOf, createPixels } from '../pixels/pixel-array.ts';
import type { Coordinates } from './coordinates.ts';

/** Some rows of a raw raster in memory, in a buffer that grows if necessary. */
export class ScratchRows {
  readonly #file: FileHandle;
  readonly #grid: PixelGrid;
  readonly #type: PlaneType;
  #buffer: Plane;
  #first = 0;
  #rows = 0;

  constructor(file: FileHandle, raster: ScratchRaster) {
    this.#file = file;
    this.#grid = raster.grid;
    this.#type = typeOf(raster);
    this.#buffer = createPixels(this.#type, 0);
  }

  /** Reads the rows that contain these points (coordinates in the raster's CRS). */
  async loadAround({ y }: Coordinates): Promise<void> {
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < y.length; i += 1) {
      const value = y[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    const { north, pixelHeight, rows, cols } = this.#grid;
    const first = Math.max(0, Math.floor((north - high) / pixelHeight));
    const last = Math.min(rows - 1, Math.floor((north - low) / pixelHeight));
    this.#first = first;
    this.#rows = last >= first ? last - first + 1 : 0;
    const pixels = this.#rows * cols;
    if (this.#buffer.length < pixels) this.#buffer = createPixels(this.#type, pixels);
    const size = this.#buffer.BYTES_PER_ELEMENT;
    await this.#read(pixels * size, first * cols * size);
  }

  async #read(bytes: number, position: number): Promise<void> {
    const buffer = bytesOf(this.#buffer);
    for (let at = 0; at < bytes;) {
      const { bytesRead } = await this.#file.read(buffer, {
        offset: at,
        length: bytes - at,
        position: position + at,
      });
      if (bytesRead === 0)
        throw new RangeError(`a scratch raster ends too early, at byte ${position + at}; start the run again`);
      at += bytesRead;
    }
  }

  /**
   * Sets `out[i]` to the value of the pixel that contains point `first + i`, if `touched[i]` is not 0. Points outside
   * of the raster do not change `out`. Returns the number of touched pixels.
   */
  sample(points: Coordinates, first: number, { touched, out }: { touched: Uint8Array; out: Plane }): number {
    const { west, north, cols } = this.#grid;
    const [perX, perY] = [1 / this.#grid.pixelWidth, 1 / this.#grid.pixelHeight];
    const [buffer, rows, top] = [this.#buffer, this.#rows, this.#first];
    let count = 0;
    for (let i = 0; i < out.length; i += 1) {
      if (touched[i] === 0) continue;
      count += 1;
      const col = Math.floor((points.x[first + i]! - west) * perX);
      const row = Math.floor((north - points.y[first + i]!) * perY) - top;
      if (col >= 0 && col < cols && row >= 0 && row < rows) out[i] = buffer[row * cols + col]!;
    }
    return count;
  }
}
