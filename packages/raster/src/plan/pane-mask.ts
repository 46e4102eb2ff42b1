import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** A piece of the grid that one worker has in memory at a time; `id` numbers the panes of a plan. */
export interface PaneWindow extends PixelWindow {
  readonly id: number;
}

/**
 * Layout of the bits of a pane: rows of `stride` bytes, the lowest bit of a byte first. Pixel (x, y) of the pane has the bit at column (x + col)
 * >> shift of row (y + row) >> shift.
 */
export interface BitRows {
  readonly stride: number;
  readonly rows: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/**
 * Mask of one scene in one pane. The bits are compressed, because the masks of a whole year are in memory until the last pane is
 * computed.
 */
export interface PaneMask extends BitRows {
  /** Clear pixels; null if there are none. */
  readonly clear: Uint8Array | null;
  /**
   * Observed pixels, clear or not; null if there are none, or if the bits are not needed because the day has no other
   * scene.
   */
  readonly observed: Uint8Array | null;
}

/**
 * Masks of one scene by the id of the pane. If a pane is missing, the scene has no useful pixel in it. Null if the
 * plan has no mask, so all pixels are clear.
 */
export type SceneMasks = ReadonlyMap<number, PaneMask> | null;

/**
 * Length of a row of bits, bytes. A row consists of whole 16-bit words, and of one more word, because the kernels may
 * read beyond the last word.
 */
export function rowBytes(cols: number): number {
  return 2 * Math.ceil(cols / 16) + 2;
}

/**
 * Compresses rows of bits. Clouds are large, so the lowest level already reduces the size to a tenth; the compression
 * of 200 MB takes a second.
 */
export function packBits(bits: Uint8Array): Uint8Array {
  return new Uint8Array(deflateRawSync(bits, { level: 1 }));
}

/** Unpacks the result of `packBits`. */
export function unpackBits(packed: Uint8Array): Uint8Array {
  return inflateRawSync(packed);
}
