import { deflateSync } from 'node:zlib';
import { deflatedBytes, INFLATE_SLACK } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Part of the grid that one worker has in memory at a time. */
export interface PaneWindow extends PixelWindow {
  readonly id: number;
}

/**
 * Layout of the bits of a pane: rows of `stride` bytes, lowest bit first. Pixel (x, y) has the bit at ((x + col) >>
 * shift, (y + row) >> shift).
 */
export interface BitRows {
  readonly stride: number;
  readonly rows: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
}

/** Mask of one scene in one pane. It is compressed, because the masks of a whole year are in memory. */
export interface PaneMask extends BitRows {
  /** Clear pixels; null if there are none in the area. */
  readonly clear: Uint8Array | null;
  /** Observed pixels; null if there are none, or if the day has no other scene. */
  readonly observed: Uint8Array | null;
}

/** Masks of one scene by pane id, without panes in which both masks are null. Null if the plan has no mask. */
export type SceneMasks = ReadonlyMap<number, PaneMask> | null;

/** Length of a row of bits in bytes. The kernels may read one 16-bit word beyond the pixels. */
export function rowBytes(cols: number): number {
  return 2 * Math.ceil(cols / 16) + 2;
}

/** Memory for rows of bits, bytes, which also suffices for the compressed bits. */
export function bitBytes(rows: number, stride: number): number {
  return deflatedBytes(rows * stride) + INFLATE_SLACK;
}

/** Compresses rows of bits to about a tenth (zlib format). The chunk is small, because zlib allocates whole chunks. */
export function packBits(bits: Uint8Array): Uint8Array {
  return new Uint8Array(deflateSync(bits, { level: 1, chunkSize: 4096 }));
}
