import type { MaskRule, PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import { meets, wholeWindow } from '../pixels/pixel-window.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { sampleNearest, sourceWindow } from '../warp/resample.ts';
import { underWindow } from './alignment.ts';
import type { Aligned } from './alignment.ts';
import { readFlags } from './mask-flags.ts';
import type { Flags } from './mask-flags.ts';
import type { MaskReply } from './plan-tasks.ts';
import type { PreparedBand } from './prepared.ts';
import type { SceneMask } from './scene-mask.ts';

/** Rows of the grid that are resampled at once. */
const STRIP = 64;

/** Zero bytes behind a mask's last row, for loads that reach over the edge. */
const MARGIN = 16;

/** What a mask is made of. */
interface MaskInput {
  readonly band: PreparedBand;
  /** The band's open file. */
  readonly file: RasterFile;
  readonly grid: PixelGrid;
  readonly rule: MaskRule;
}

/**
 * Clear pixels of one scene over the whole grid: codes kept, less the spoiling ones grown at the mask band's own resolution.
 * The mask is null where the scene does not meet the grid. Throws `input_data` where the file is broken.
 */
export async function buildMask(input: MaskInput, kernels: Kernels): Promise<MaskReply> {
  const { alignment } = input.band;
  const mark = kernels.mark();
  try {
    return await (alignment.kind === 'aligned' ? alignedMask(input, alignment, kernels) : warpedMask(input, kernels));
  } finally {
    kernels.reset(mark);
  }
}

async function alignedMask(input: MaskInput, alignment: Aligned, kernels: Kernels): Promise<MaskReply> {
  const { native, col, row } = underWindow(alignment, wholeWindow(input.grid));
  if (!meets(input.band.layout.grid, native)) return { kind: 'mask', mask: null, decoded: 0 };
  const flags = await readFlags(input, native, kernels);
  const { cols, rows } = native;
  const mask = { ...packFlags(flags, native, kernels), cols, rows, shift: alignment.shift, col, row };
  return { kind: 'mask', mask, decoded: flags.decoded };
}

async function warpedMask(input: MaskInput, kernels: Kernels): Promise<MaskReply> {
  const { grid, band } = input;
  const window = sourceWindow(grid, wholeWindow(grid), { grid: band.layout.grid, margin: 1 });
  if (window === null) return { kind: 'mask', mask: null, decoded: 0 };
  const flags = await readFlags(input, window, kernels);
  const source = { grid: band.layout.grid, window, pixels: clearPixels(flags, window, kernels), nodata: null };
  const stride = rowBytes(grid.cols);
  const bits = new SharedArrayBuffer(stride * grid.rows + MARGIN);
  const target = new Uint8Array(grid.cols * STRIP);
  for (let top = 0; top < grid.rows; top += STRIP) {
    const strip = { col: 0, row: top, cols: grid.cols, rows: Math.min(STRIP, grid.rows - top) };
    sampleNearest(source, { grid, window: strip }, { target, outside: 0 });
    setBits(new Uint8Array(bits, top * stride), stride, { ...strip, clear: target });
  }
  const mask = { bits, stride, cols: grid.cols, rows: grid.rows, shift: 0, col: 0, row: 0 } as const;
  return { kind: 'mask', mask, decoded: flags.decoded };
}

/** One byte a pixel of a window: 1 = clear. */
function clearPixels(flags: Flags, { cols, rows }: PixelWindow, kernels: Kernels): Uint8Array {
  const clear = new Uint8Array(cols * rows);
  for (let r = 0; r < rows; r++) {
    const line = kernels.u8(flags.address + r * flags.stride, cols);
    for (let c = 0; c < cols; c++) clear[r * cols + c] = line[c] === 1 ? 1 : 0;
  }
  return clear;
}

function setBits(out: Uint8Array, stride: number, strip: PixelWindow & { readonly clear: Uint8Array }): void {
  const { cols, rows, clear } = strip;
  for (let i = 0; i < rows * cols; i++) {
    if (clear[i] === 0) continue;
    const byte = Math.floor(i / cols) * stride + ((i % cols) >> 3);
    out[byte] = out[byte]! | (1 << ((i % cols) & 7));
  }
}

function packFlags(flags: Flags, { cols, rows }: PixelWindow, kernels: Kernels): Pick<SceneMask, 'bits' | 'stride'> {
  const stride = rowBytes(cols);
  const address = kernels.alloc(stride * rows + MARGIN);
  kernels.u8(address, stride * rows).fill(0);
  kernels.run.packClear(flags.address, flags.stride, address, stride, cols, rows);
  const bits = new SharedArrayBuffer(stride * rows + MARGIN);
  new Uint8Array(bits).set(kernels.u8(address, stride * rows));
  return { bits, stride };
}

/** Bytes of one row of bits: whole 16-bit words, and one more that loads may touch. */
function rowBytes(cols: number): number {
  return 2 * Math.ceil(cols / 16) + 2;
}
