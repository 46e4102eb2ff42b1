import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Clear pixels of one scene, 1 bit each, lowest bit first, rows of `stride` bytes (even). */
export interface SceneMask {
  readonly bits: SharedArrayBuffer;
  readonly stride: number;
  readonly cols: number;
  readonly rows: number;
  /** Grid pixel (x, y) is mask pixel ((x + col) >> shift, (y + row) >> shift). */
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** True where the mask may have a clear pixel in a window of the grid (exact to whole bytes of the mask's rows). */
export function clearIn(mask: SceneMask, window: PixelWindow): boolean {
  const bytes = new Uint8Array(mask.bits);
  const row1 = (mask.row + window.row + window.rows - 1) >> mask.shift;
  const byte0 = ((mask.col + window.col) >> mask.shift) >> 3;
  const byte1 = ((mask.col + window.col + window.cols - 1) >> mask.shift) >> 3;
  for (let row = (mask.row + window.row) >> mask.shift; row <= row1; row++) {
    for (let at = row * mask.stride + byte0; at <= row * mask.stride + byte1; at++) if (bytes[at] !== 0) return true;
  }
  return false;
}

/** The rows of a mask that a window of the grid lies in. */
export interface MaskRows {
  /** Whole rows, and up to 8 bytes more where the mask has them. */
  readonly bytes: Uint8Array;
  readonly stride: number;
  /** Pixel (x, y) of the window is bit ((x + col) >> shift, (y + row) >> shift) of these rows. */
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Takes the rows of a mask that a window of the grid lies in; a view, nothing is copied. */
export function maskRows({ bits, stride, shift, ...mask }: SceneMask, window: PixelWindow): MaskRows {
  const [col, row] = [mask.col + window.col, mask.row + window.row];
  const top = row >> shift;
  const bottom = (row + window.rows - 1) >> shift;
  const length = Math.min((bottom - top + 1) * stride + 8, bits.byteLength - top * stride);
  return { bytes: new Uint8Array(bits, top * stride, length), stride, shift, col, row: row - (top << shift) };
}
