import { closeSync, openSync, readSync, writeSync } from 'node:fs';
import { DomainError, isDiskFull } from '@headwater/core/errors';
import type { PixelGrid, ScratchRaster } from '@headwater/core';
import type { Plane, PlaneType } from '@headwater/core/pixel-plan';
import { bytesOf, createPixels, sampleBytes, typeOf } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { ScratchSpace } from './scratch-space.ts';

/** Raw raster of a plan, as plain data that can be sent to workers. */
export interface ScratchFile {
  readonly name: string;
  readonly path: string;
  readonly type: PlaneType;
}

/** Describes the rasters of a plan for workers. */
export function scratchFiles(
  { pathOf }: ScratchSpace,
  rasters: Readonly<Record<string, ScratchRaster>>,
): readonly ScratchFile[] {
  return Object.entries(rasters).map(([name, raster]) => ({ name, path: pathOf(raster), type: typeOf(raster) }));
}

/** Plane (one value per pixel) and its name in the plan. */
export interface NamedPlane {
  readonly name: string;
  readonly plane: Plane;
}

/** Creates planes of `pixels` zeros, one for each raster. */
export function planesFor(files: readonly ScratchFile[], pixels: number): readonly NamedPlane[] {
  return files.map(({ name, type }) => ({ name, plane: createPixels(type, pixels) }));
}

/** Values [first, last) of each plane, by the name of the plane. */
export function partOf(planes: readonly NamedPlane[], first: number, last: number): Readonly<Record<string, Plane>> {
  return Object.fromEntries(planes.map(({ name, plane }) => [name, plane.subarray(first, last)]));
}

/** Raw rasters of one grid, opened by name. The files are closed by `close`, or when their thread ends. */
export class ScratchFiles {
  readonly #grid: PixelGrid;
  readonly #open = new Map<string, { readonly fd: number; readonly size: number }>();

  /** Opens the files with the mode `mode` of `fs.open`. */
  constructor(grid: PixelGrid, files: readonly ScratchFile[], mode: 'r' | 'r+') {
    this.#grid = grid;
    for (const { name, path, type } of files)
      this.#open.set(name, { fd: openSync(path, mode), size: sampleBytes(type) });
  }

  /** Writes a window; throws `storage_full` if the disk is full. */
  write(name: string, window: PixelWindow, plane: Plane): void {
    const { fd, size } = this.#file(name);
    const bytes = bytesOf(plane);
    try {
      this.#eachRun(window, size, (at, from, length) => {
        for (let done = 0; done < length;) done += writeSync(fd, bytes, from + done, length - done, at + done);
      });
    } catch (cause) {
      if (isDiskFull(cause)) {
        throw new DomainError(
          'storage_full',
          'the disk with the scratch rasters is full; free space there and start the run again',
          { cause },
        );
      }
      throw cause;
    }
  }

  read(name: string, window: PixelWindow, plane: Plane): void {
    const { fd, size } = this.#file(name);
    const bytes = bytesOf(plane);
    this.#eachRun(window, size, (at, from, length) => {
      for (let done = 0; done < length;) {
        const count = readSync(fd, bytes, from + done, length - done, at + done);
        if (count === 0) throw new Error(`scratch raster ${name} is cut off at byte ${at + done}; start the run again`);
        done += count;
      }
    });
  }

  close(): void {
    for (const { fd } of this.#open.values()) closeSync(fd);
    this.#open.clear();
  }

  #file(name: string): { readonly fd: number; readonly size: number } {
    const file = this.#open.get(name);
    if (file === undefined) throw new Error(`the run has no scratch raster ${name}`);
    return file;
  }

  /**
   * Calls `run` for each contiguous part of a window. Arguments: its position in the file, its position in the
   * window, and its length, in bytes. A pixel has `size` bytes.
   */
  #eachRun(window: PixelWindow, size: number, run: (at: number, from: number, length: number) => void): void {
    const { cols } = this.#grid;
    if (window.cols === cols) {
      run(window.row * cols * size, 0, window.cols * window.rows * size);
      return;
    }
    for (let row = 0; row < window.rows; row++)
      run(((window.row + row) * cols + window.col) * size, row * window.cols * size, window.cols * size);
  }
}
