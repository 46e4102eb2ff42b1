import type { PixelGrid } from '@headwater/core';
import type { Plane } from '@headwater/core/pixel-plan';
import type { ReadRequest, SourceFile } from '@headwater/core/ports';
import { ScratchFiles } from '../files/scratch-files.ts';
import type { ScratchFile } from '../files/scratch-files.ts';
import { type Remote, type RemoteSettings, threadRemote } from '../remote/remote.ts';
import { createPixels } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { openLayout } from '../tiff/open-raster.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { TileDecoder } from '../tiff/tile-decoder.ts';
import { sourceCoordinates } from '../warp/coordinates.ts';
import type { Coordinates } from '../warp/coordinates.ts';
import { sourceWindow } from '../warp/resample.ts';
import { gridsNear } from '../warp/turns.ts';
import { VALUE_SAMPLERS } from '../warp/value-samplers.ts';
import type { ValuePatch } from '../warp/value-samplers.ts';
import { mosaicsOf, partsUnder } from './mosaic.ts';
import type { Mosaic } from './mosaic.ts';
import { checkPatch } from './build-mask.ts';
import { serveTasks } from './workers/serve.ts';

/** Data of a read request for its workers. */
export interface ReadWork extends SourceFile {
  readonly grid: PixelGrid;
  readonly target: ScratchFile;
  readonly nodata: number;
  readonly resampling: ReadRequest['resampling'];
  /** Layouts of the files, in order of priority. */
  readonly layouts: readonly TiffLayout[];
  readonly network: RemoteSettings;
}

const STRIP_ROWS = 64;

class GridReader {
  readonly #work: ReadWork;
  readonly #remote: Remote;
  readonly #mosaics: readonly Mosaic[];
  readonly #decoder = new TileDecoder();
  readonly #files = new Map<TiffLayout, RasterFile>();
  readonly #target: ScratchFiles;
  /**
   * Grid of the points that are looked up in the files: pixel centres, or corners for averages (one more row and
   * column).
   */
  readonly #points: { readonly grid: PixelGrid; readonly more: 0 | 1 };

  constructor(work: ReadWork, remote: Remote) {
    this.#work = work;
    this.#remote = remote;
    this.#mosaics = mosaicsOf(
      work.layouts.flatMap((layout) => gridsNear(layout.grid, work.grid).map((grid) => ({ ...layout, grid }))),
    );
    this.#target = new ScratchFiles(work.grid, [work.target], 'r+');
    this.#points =
      work.resampling === 'average' ? { grid: cornersOf(work.grid), more: 1 } : { grid: work.grid, more: 0 };
  }

  /** Computes the result in strips, because coordinates need 16 bytes per pixel. */
  async read(window: PixelWindow): Promise<void> {
    const patches = new Map<Mosaic, ValuePatch | null>();
    for (let row = 0; row < window.rows; row += STRIP_ROWS) {
      const strip = { ...window, row: window.row + row, rows: Math.min(STRIP_ROWS, window.rows - row) };
      await this.#readStrip(strip, async (mosaic) => {
        const known = patches.get(mosaic);
        if (known !== undefined) return known;
        const patch = await this.#patchUnder(mosaic, this.#pointsOf(window));
        patches.set(mosaic, patch);
        return patch;
      });
    }
  }

  async #readStrip(strip: PixelWindow, patchOf: (mosaic: Mosaic) => Promise<ValuePatch | null>): Promise<void> {
    const { target, nodata, resampling } = this.#work;
    const values = new Float64Array(strip.cols * strip.rows).fill(Number.NaN);
    const known = new Map<string, Coordinates>();
    for (const mosaic of this.#mosaics) {
      const patch = await patchOf(mosaic);
      if (patch === null) continue;
      const { crs } = mosaic.grid;
      const at = known.get(crs) ?? sourceCoordinates(this.#points.grid, this.#pointsOf(strip), crs);
      known.set(crs, at);
      VALUE_SAMPLERS[resampling](patch, at, { values, cols: strip.cols });
      if (!values.includes(Number.NaN)) break;
    }
    const plane = createPixels(target.type, values.length);
    fill(plane, values, nodata);
    this.#target.write(target.name, strip, plane);
  }

  #pointsOf(window: PixelWindow): PixelWindow {
    const { more } = this.#points;
    return { ...window, cols: window.cols + more, rows: window.rows + more };
  }

  /** Reads the values of a mosaic around these points; null if the mosaic has no pixel there. */
  async #patchUnder(mosaic: Mosaic, points: PixelWindow): Promise<ValuePatch | null> {
    const window = sourceWindow(this.#points.grid, points, { grid: mosaic.grid, margin: 1 });
    if (window === null) return null;
    checkPatch(window, points, mosaic.files[0]?.layout.href ?? '');
    const values = new Float32Array(window.cols * window.rows).fill(Number.NaN);
    for (const { layout, part, own } of partsUnder(mosaic, window)) {
      const data = new Float32Array(own.cols * own.rows);
      await this.#file(layout).readValues(own, data);
      fillGaps({ window, values }, { window: part, values: data });
    }
    return { grid: mosaic.grid, window, values };
  }

  close(): void {
    for (const file of this.#files.values()) file.close();
    this.#target.close();
  }

  #file(layout: TiffLayout): RasterFile {
    const open =
      this.#files.get(layout) ?? openLayout(layout, this.#decoder, { ...this.#remote, within: this.#work.within });
    this.#files.set(layout, open);
    return open;
  }
}

type WindowValues = Pick<ValuePatch, 'window' | 'values'>;

/** Fills only pixels that are still NaN. */
function fillGaps({ window, values }: WindowValues, { window: part, values: data }: WindowValues): void {
  for (let row = 0; row < part.rows; row++) {
    const to = (part.row - window.row + row) * window.cols + part.col - window.col;
    for (let i = 0; i < part.cols; i++) {
      if (Number.isNaN(values[to + i]!)) values[to + i] = data[row * part.cols + i]!;
    }
  }
}

function cornersOf(grid: PixelGrid): PixelGrid {
  return {
    ...grid,
    west: grid.west - grid.pixelWidth / 2,
    north: grid.north + grid.pixelHeight / 2,
    cols: grid.cols + 1,
    rows: grid.rows + 1,
  };
}

const RANGES = { uint8: [0, 255], int16: [-32_768, 32_767] } as const;

function fill(plane: Plane, values: Float64Array, nodata: number): void {
  if (plane instanceof Float32Array) {
    for (let i = 0; i < values.length; i++) plane[i] = Number.isNaN(values[i]!) ? nodata : values[i]!;
    return;
  }
  const [least, most] = RANGES[plane instanceof Uint8Array ? 'uint8' : 'int16'];
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    plane[i] = Number.isNaN(value) ? nodata : Math.min(most, Math.max(least, Math.floor(value + 0.5)));
  }
}

serveTasks(async (report, _share, work: ReadWork) => {
  const reader = new GridReader(work, threadRemote(work.network, report));
  const read = async (window: PixelWindow): Promise<null> => {
    await reader.read(window);
    return null;
  };
  return Object.assign(read, { close: () => reader.close() });
});
