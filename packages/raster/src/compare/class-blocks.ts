import type { PixelGrid } from '@headwater/core';
import { createPixels } from '../pixels/pixel-array.ts';
import type { PixelArray } from '../pixels/pixel-array.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { sampleNearest, sourceWindow } from '../warp/resample.ts';
import { gridsNear } from '../warp/turns.ts';
import { NO_CODE, PixelCodes } from './pixel-codes.ts';

/** Class codes of a block of pixels, row-major. */
export interface ClassBlock {
  readonly window: PixelWindow;
  readonly map: Uint8Array;
  /** Codes of the reference at the centres of the map's pixels. All are `NO_CODE` without a reference. */
  readonly reference: Uint8Array;
}

/** Blocks of a map and of a reference. `PixelCodes` has the raster value of each code. */
export interface ClassBlocks {
  readonly map: PixelCodes;
  readonly reference: PixelCodes;
  blocks(): AsyncGenerator<ClassBlock>;
}

const BLOCK_SIDE = 1024;
/** Maximum number of reference pixels in memory. A block with more reference pixels is split. */
const MOST_REFERENCE = 1 << 24;

/**
 * Reads a class raster block by block. Also reads a reference raster (any known CRS) at the centres of the pixels of
 * the class raster. Throws `input_data` for a file that cannot be read or is not a class raster.
 */
export function classBlocks(map: RasterFile, reference?: RasterFile): ClassBlocks {
  const codes = codesOf(map);
  const referenceCodes = reference === undefined ? new PixelCodes('', null) : codesOf(reference);
  return {
    map: codes,
    reference: referenceCodes,
    async *blocks() {
      for (const window of blockWindows(map)) {
        const size = window.rows * window.cols;
        const pixels = await pixelsOf(map, window);
        const block = { window, map: new Uint8Array(size), reference: new Uint8Array(size).fill(NO_CODE) };
        codes.encode(pixels, block.map);
        if (reference !== undefined) await readReference({ file: reference, codes: referenceCodes }, map.grid, block);
        yield block;
      }
    },
  };
}

/**
 * Creates the codes of a file, still without values. The nodata value is an unscaled sample. So it is not used for a
 * file with a scale, whose pixels are read as scaled values.
 */
const codesOf = ({ href, nodata, layout }: RasterFile): PixelCodes =>
  new PixelCodes(href, layout.scaling === null ? nodata : null);

/** Returns samples. For a file with a mask or a scale, returns values instead, in which NaN marks missing pixels. */
async function pixelsOf(file: RasterFile, window: PixelWindow): Promise<PixelArray> {
  const size = window.rows * window.cols;
  if (file.layout.mask === null && file.layout.scaling === null) {
    const samples = createPixels(file.dtype, size);
    await file.readWindow(window, samples);
    return samples;
  }
  const values = new Float64Array(size);
  await file.readValues(window, values);
  return values;
}

function* blockWindows({ grid, tile }: RasterFile): Generator<PixelWindow> {
  const rows = Math.ceil(BLOCK_SIDE / tile.rows) * tile.rows;
  const cols = Math.ceil(BLOCK_SIDE / tile.cols) * tile.cols;
  for (let row = 0; row < grid.rows; row += rows) {
    for (let col = 0; col < grid.cols; col += cols)
      yield { row, col, rows: Math.min(rows, grid.rows - row), cols: Math.min(cols, grid.cols - col) };
  }
}

interface ReferenceFile {
  readonly file: RasterFile;
  readonly codes: PixelCodes;
}

async function readReference(source: ReferenceFile, grid: PixelGrid, { window, reference }: ClassBlock): Promise<void> {
  for (const part of partsOf(source.file, grid, window)) {
    const codes = await referencePart(source, grid, part);
    for (let row = 0; row < part.rows; row += 1) {
      const at = (part.row - window.row + row) * window.cols + part.col - window.col;
      reference.set(codes.subarray(row * part.cols, (row + 1) * part.cols), at);
    }
  }
}

/** Halves the window until the reference pixels under each part fit in memory. */
function partsOf(file: RasterFile, grid: PixelGrid, window: PixelWindow): readonly PixelWindow[] {
  const sizes = gridsNear(file.grid, grid).flatMap((near) => {
    const patch = sourceWindow(grid, window, { grid: near, margin: 1 });
    return patch === null ? [] : [patch.rows * patch.cols];
  });
  if (sizes.length === 0) return [];
  if (Math.max(...sizes) <= MOST_REFERENCE || window.rows * window.cols === 1) return [window];
  const half = Math.ceil(Math.max(window.rows, window.cols) / 2);
  const halves =
    window.rows >= window.cols
      ? [
          { ...window, rows: half },
          { ...window, row: window.row + half, rows: window.rows - half },
        ]
      : [
          { ...window, cols: half },
          { ...window, col: window.col + half, cols: window.cols - half },
        ];
  return halves.flatMap((each) => partsOf(file, grid, each));
}

async function referencePart(
  { file, codes }: ReferenceFile,
  grid: PixelGrid,
  window: PixelWindow,
): Promise<Uint8Array> {
  const out = new Uint8Array(window.rows * window.cols).fill(NO_CODE);
  for (const near of gridsNear(file.grid, grid)) {
    const shift = sameRaster(grid, near);
    const patch = shift === undefined ? sourceWindow(grid, window, { grid: near, margin: 1 }) : moved(window, shift);
    if (patch === null) continue;
    const pixels = await pixelsOf(file, patch);
    const coded = new Uint8Array(pixels.length);
    codes.encode(pixels, coded);
    if (shift === undefined)
      sampleNearest({ grid: near, window: patch, pixels: coded }, { grid, window }, { target: out });
    else inside(coded, patch, near).forEach((code, i) => (out[i] = code === NO_CODE ? out[i]! : code));
  }
  return out;
}

interface Shift {
  readonly rows: number;
  readonly cols: number;
}

const moved = (window: PixelWindow, by: Shift): PixelWindow => ({
  ...window,
  row: window.row + by.rows,
  col: window.col + by.cols,
});

/** Returns the offset (pixels) between two grids whose pixels coincide; undefined for other grids. */
function sameRaster(a: PixelGrid, b: PixelGrid): Shift | undefined {
  if (a.crs !== b.crs) return undefined;
  const isClose = (from: number, to: number): boolean => Math.abs(from - to) * Math.max(a.rows, a.cols) < 0.01 * from;
  if (!isClose(a.pixelWidth, b.pixelWidth) || !isClose(a.pixelHeight, b.pixelHeight)) return undefined;
  const [cols, rows] = [(a.west - b.west) / a.pixelWidth, (b.north - a.north) / a.pixelHeight];
  const whole = { rows: Math.round(rows), cols: Math.round(cols) };
  return Math.abs(cols - whole.cols) < 0.01 && Math.abs(rows - whole.rows) < 0.01 ? whole : undefined;
}

/**
 * Sets codes outside of the file to `NO_CODE`. For these pixels, the reader of a file without a nodata value returns 0,
 * which may be a class.
 */
function inside(codes: Uint8Array, window: PixelWindow, { rows, cols }: PixelGrid): Uint8Array {
  const [left, right] = [Math.max(0, -window.col), Math.min(window.cols, cols - window.col)];
  for (let row = 0; row < window.rows; row += 1) {
    const line = codes.subarray(row * window.cols, (row + 1) * window.cols);
    const isIn = row + window.row >= 0 && row + window.row < rows && left < right;
    if (!isIn) line.fill(NO_CODE);
    else line.fill(NO_CODE, 0, left).fill(NO_CODE, right);
  }
  return codes;
}
