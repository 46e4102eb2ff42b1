import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** A piece of the grid that one worker has in memory at a time; `id` numbers the panes of a plan. */
export interface PaneWindow extends PixelWindow {
  readonly id: number;
}

/** Layout of a pane's bits: lowest bit first, rows of `stride` bytes; pixel (x, y) of the pane is bit ((x + col) >> shift, (y + row) >> shift). */
export interface BitRows {
  readonly stride: number;
  readonly rows: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Mask of one scene in one pane. The mask is packed, because the masks of a whole year are in memory until the last pane is done. */
export interface PaneMask extends BitRows {
  /** Clear pixels; null = none. */
  readonly clear: Uint8Array | null;
  /** Pixels that were observed, clear or not; null if no other scene of the day needs them. */
  readonly observed: Uint8Array | null;
}

/** Masks of one scene by pane; a missing pane has no useful pixel. Null = the plan has no mask. */
export type SceneMasks = ReadonlyMap<number, PaneMask> | null;

/** Bytes of one row of bits: whole 16-bit words, and one more word, because code may read beyond the last word. */
export function rowBytes(cols: number): number {
  return 2 * Math.ceil(cols / 16) + 2;
}

/** Packs rows of bits. Level 1 is enough: clouds are large, so the bits shrink to a tenth, and 200 MB take a second. */
export function packBits(bits: Uint8Array): Uint8Array {
  return new Uint8Array(deflateRawSync(bits, { level: 1 }));
}

/** Unpacks the result of `packBits`. */
export function unpackBits(packed: Uint8Array): Uint8Array {
  return inflateRawSync(packed);
}
