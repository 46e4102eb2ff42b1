import { openSync, readSync, writeSync } from 'node:fs';
import { DomainError } from '@headwater/core/errors';
import type { PixelGrid } from '@headwater/core';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { isDiskFull } from './system-error.ts';

/** Raw uint8 rasters of one grid, opened by name; windows are read and written in place. They close with their thread. */
export class ScratchFiles {
  readonly #grid: PixelGrid;
  readonly #fds = new Map<string, number>();

  /** `mode` as in fs.open: 'r' or 'r+'. */
  constructor(grid: PixelGrid, files: readonly { readonly name: string; readonly path: string }[], mode: 'r' | 'r+') {
    this.#grid = grid;
    for (const { name, path } of files) this.#fds.set(name, openSync(path, mode));
  }

  /** Writes a window row by row, or at once where it spans the grid; throws `storage_full` on a full disk. */
  write(name: string, window: PixelWindow, plane: Uint8Array): void {
    const fd = this.#fd(name);
    try {
      this.#eachRun(window, (at, from, length) => {
        for (let done = 0; done < length;) done += writeSync(fd, plane, from + done, length - done, at + done);
      });
    } catch (cause) {
      if (isDiskFull(cause)) {
        throw new DomainError(
          'storage_full',
          'the disk with the scratch rasters is full; free space under DATA_DIR and start the run again',
          { cause },
        );
      }
      throw cause;
    }
  }

  /** Reads a window into `plane` (row-major). */
  read(name: string, window: PixelWindow, plane: Uint8Array): void {
    const fd = this.#fd(name);
    this.#eachRun(window, (at, from, length) => {
      for (let done = 0; done < length;) {
        const got = readSync(fd, plane, from + done, length - done, at + done);
        if (got === 0) throw new Error(`scratch raster ${name} ends at byte ${at + done}`);
        done += got;
      }
    });
  }

  #fd(name: string): number {
    const fd = this.#fds.get(name);
    if (fd === undefined) throw new Error(`no scratch raster ${name}`);
    return fd;
  }

  /** Runs of bytes: position in the file, position in the window, length. */
  #eachRun(window: PixelWindow, run: (at: number, from: number, length: number) => void): void {
    if (window.cols === this.#grid.cols) {
      run(window.row * this.#grid.cols, 0, window.cols * window.rows);
      return;
    }
    for (let row = 0; row < window.rows; row++)
      run((window.row + row) * this.#grid.cols + window.col, row * window.cols, window.cols);
  }
}
