import type { PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import { sampleNearest } from '../warp/resample.ts';
import type { SourcePatch } from '../warp/resample.ts';
import type { Flags, WindowFlags } from './mask-flags.ts';
import { rowBytes } from './pane-mask.ts';

/** Number of rows of the grid that are resampled at once. */
const STRIP = 64;

/** Bits of a sampled pixel. */
const CLEAR = 1;
const OBSERVED = 2;

/** Codes of a window of the file, one byte a pixel, in the kernels' memory: bit 0 = clear, bit 1 = observed. */
export function codesOf(flags: WindowFlags, { cols, rows }: PixelWindow, kernels: Kernels): Uint8Array {
  // Not on the JavaScript heap, which would not shrink again after a whole tile.
  const codes = kernels.u8(kernels.alloc(cols * rows), cols * rows).fill(0);
  const add = ({ address, stride }: Flags, bit: number): void => {
    for (let r = 0; r < rows; r++) {
      const line = kernels.u8(address + r * stride, cols);
      for (let c = 0; c < cols; c++) if (line[c] === 1) codes[r * cols + c] = codes[r * cols + c]! | bit;
    }
  };
  add(flags.clear, CLEAR);
  if (flags.observed !== null) add(flags.observed, OBSERVED);
  return codes;
}

/** Bits of a pane from a file with another grid: each pixel gets the bits of the file's pixel that contains its centre. */
export function warpedBits(
  patch: SourcePatch,
  { grid, window }: { readonly grid: PixelGrid; readonly window: PixelWindow },
  observed: boolean,
): { readonly clear: Uint8Array; readonly observed: Uint8Array | null } {
  const stride = rowBytes(window.cols);
  const planes = [CLEAR, ...(observed ? [OBSERVED] : [])].map((bit) => ({
    bit,
    bits: new Uint8Array(stride * window.rows),
  }));
  const target = new Uint8Array(window.cols * STRIP);
  for (let top = 0; top < window.rows; top += STRIP) {
    const strip = { ...window, row: window.row + top, rows: Math.min(STRIP, window.rows - top) };
    sampleNearest(patch, { grid, window: strip }, { target, outside: 0 });
    for (const { bit, bits } of planes) setBits(bits.subarray(top * stride), { ...strip, stride, bit, codes: target });
  }
  return { clear: planes[0]?.bits ?? new Uint8Array(0), observed: planes[1]?.bits ?? null };
}

interface Codes extends PixelWindow {
  readonly stride: number;
  readonly bit: number;
  readonly codes: Uint8Array;
}

function setBits(out: Uint8Array, { cols, rows, stride, bit, codes }: Codes): void {
  for (let i = 0; i < rows * cols; i++) {
    if ((codes[i]! & bit) === 0) continue;
    const byte = Math.floor(i / cols) * stride + ((i % cols) >> 3);
    out[byte] = out[byte]! | (1 << ((i % cols) & 7));
  }
}
