import type { MaskRule, PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { RasterFile } from '../tiff/raster-file.ts';

/** Flags of a window in the kernels' memory, one byte a pixel: bit 0 = kept, bit 1 = spoilt; 1 alone is clear. */
export interface Flags {
  /** Of the window's first pixel. */
  readonly address: number;
  /** Bytes from one row to the next. */
  readonly stride: number;
  /** Pixels that were decoded for it. */
  readonly decoded: number;
}

/** Zero bytes before and after each row of flags, for loads that reach over the edge. */
const MARGIN = 16;

/** A window with what grows into it, and the bytes from one row of its flags to the next. */
interface Plane {
  readonly wide: PixelWindow;
  readonly stride: number;
}

/**
 * Reads the codes of a window of the file, flags them by the rule and grows the spoiling ones.
 * The flags stay in the kernels' memory until the caller resets it. Throws `input_data` where the file is broken.
 */
export async function readFlags(
  { file, rule }: { readonly file: RasterFile; readonly rule: MaskRule },
  window: PixelWindow,
  kernels: Kernels,
): Promise<Flags> {
  const halo = Math.max(0, Math.floor(rule.dilate));
  const plane = planeAround(window, halo);
  const { wide, stride } = plane;
  const codes = kernels.alloc(wide.cols * wide.rows + MARGIN);
  const bytes = stride * (wide.rows + 2);
  let [from, to] = [kernels.alloc(bytes + MARGIN), kernels.alloc(bytes + MARGIN)];
  const table = kernels.alloc(256);
  kernels.u8(from, bytes).fill(0);
  kernels.u8(to, bytes).fill(0);
  kernels.u8(table, 256).set(flagTable(rule));
  const decoded = await file.readWindowAt(wide, codes);
  kernels.run.flagCodes(codes, from + stride + MARGIN, stride, wide.cols, wide.rows, table);
  clearOutside(kernels.u8(from, bytes), plane, file.grid);
  for (let pass = 0; pass < halo; pass++) {
    kernels.run.dilate(from + stride + MARGIN, to + stride + MARGIN, stride, wide.cols, wide.rows);
    [from, to] = [to, from];
  }
  return { address: from + (1 + halo) * stride + MARGIN + halo, stride, decoded };
}

function planeAround(window: PixelWindow, halo: number): Plane {
  const wide = {
    col: window.col - halo,
    row: window.row - halo,
    cols: window.cols + 2 * halo,
    rows: window.rows + 2 * halo,
  };
  return { wide, stride: Math.ceil((wide.cols + 2 * MARGIN) / MARGIN) * MARGIN };
}

function flagTable({ keep, grow }: MaskRule): Uint8Array {
  const table = new Uint8Array(256);
  for (const code of keep) table[code] = table[code]! | 1;
  for (const code of grow) table[code] = table[code]! | 2;
  return table;
}

/** Beyond the file nothing is clear, whatever its fill value means. */
function clearOutside(flags: Uint8Array, { wide, stride }: Plane, grid: PixelGrid): void {
  const left = Math.min(Math.max(0, -wide.col), wide.cols);
  const right = Math.min(Math.max(0, wide.col + wide.cols - grid.cols), wide.cols);
  for (let r = 0; r < wide.rows; r++) {
    const at = (1 + r) * stride + MARGIN;
    const beyond = wide.row + r < 0 || wide.row + r >= grid.rows;
    if (beyond) flags.fill(0, at, at + wide.cols);
    if (left > 0) flags.fill(0, at, at + left);
    if (right > 0) flags.fill(0, at + wide.cols - right, at + wide.cols);
  }
}
