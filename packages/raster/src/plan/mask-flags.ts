import type { MaskRule } from '@headwater/core/pixel-plan';
import type { PixelGrid } from '@headwater/core';
import type { Kernels } from '../pixels/kernels.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { RasterFile } from '../tiff/raster-file.ts';

/**
 * Flags of the pixels of a window in the kernels' memory, one byte per pixel. Bit 0 in `WindowFlags.clear`: the code is
 * in `MaskRule.keep`. Bit 0 in `WindowFlags.observed`: the code is in `keep`, or is not in `missing`. Bit 1 (only in
 * `clear`): a code of `grow` is within `dilate` pixels. A pixel with the value 1 is clear, or observed.
 */
export interface Flags {
  readonly address: number;
  /** Distance from one row to the next, bytes. */
  readonly stride: number;
}

/** Flags that were computed from the codes of a window. */
export interface WindowFlags {
  readonly clear: Flags;
  /** Flags of observed pixels; null if they were not requested. */
  readonly observed: Flags | null;
  readonly decoded: number;
}

const MARGIN = 16;

interface Plane {
  /** The window and `halo` pixels on each side. */
  readonly wide: PixelWindow;
  readonly stride: number;
  readonly halo: number;
}

interface FlagInput {
  readonly file: RasterFile;
  readonly rule: MaskRule;
  readonly observed: boolean;
}

/**
 * Reads the codes of a window of the file, and computes the flags by the mask rule. The flags remain in the kernels'
 * memory until a reset. Throws `input_data` if the file is broken.
 */
export async function readFlags(input: FlagInput, window: PixelWindow, kernels: Kernels): Promise<WindowFlags> {
  const { file, rule } = input;
  const plane = planeAround(window, Math.max(0, Math.floor(rule.dilate)));
  const codes = kernels.alloc(plane.wide.cols * plane.wide.rows + MARGIN);
  const [first, second] = [takePlane(plane, kernels), takePlane(plane, kernels)];
  const table = kernels.alloc(256);
  const decoded = await file.readWindowAt(plane.wide, codes);
  const flag = (values: Uint8Array, to: number): void => {
    kernels.u8(table, 256).set(values);
    kernels.run.flagCodes(codes, to + plane.stride + MARGIN, plane.stride, plane.wide.cols, plane.wide.rows, table);
    clearOutside(kernels.u8(to, bytesOf(plane)), plane, file.grid);
  };
  flag(clearTable(rule), first);
  const [grown, free] = grow(plane, [first, second], kernels);
  if (input.observed) flag(observedTable(rule), free);
  const at = (address: number): Flags => ({ address: firstPixel(address, plane), stride: plane.stride });
  return { clear: at(grown), observed: input.observed ? at(free) : null, decoded };
}

function planeAround({ col, row, cols, rows }: PixelWindow, halo: number): Plane {
  const wide = { col: col - halo, row: row - halo, cols: cols + 2 * halo, rows: rows + 2 * halo };
  return { wide, stride: Math.ceil((wide.cols + 2 * MARGIN) / MARGIN) * MARGIN, halo };
}

const bytesOf = ({ stride, wide }: Plane): number => stride * (wide.rows + 2);

const firstPixel = (address: number, { stride, halo }: Plane): number => address + (1 + halo) * stride + MARGIN + halo;

function takePlane(plane: Plane, kernels: Kernels): number {
  const address = kernels.alloc(bytesOf(plane) + MARGIN);
  kernels.u8(address, bytesOf(plane)).fill(0);
  return address;
}

/** Extends bit 1 by one pixel in each pass. Returns the address of the result and the address of the free plane. */
function grow(
  { stride, wide, halo }: Plane,
  [first, second]: readonly [number, number],
  kernels: Kernels,
): readonly [number, number] {
  let [from, to] = [first, second];
  for (let pass = 0; pass < halo; pass++) {
    kernels.run.dilate(from + stride + MARGIN, to + stride + MARGIN, stride, wide.cols, wide.rows);
    [from, to] = [to, from];
  }
  return [from, to];
}

function clearTable({ keep, grow: spoiling }: MaskRule): Uint8Array {
  const table = new Uint8Array(256);
  for (const code of keep) table[code] = table[code]! | 1;
  for (const code of spoiling) table[code] = table[code]! | 2;
  return table;
}

function observedTable({ missing, keep }: MaskRule): Uint8Array {
  const table = new Uint8Array(256).fill(1);
  for (const code of missing) if (!keep.includes(code)) table[code] = 0;
  return table;
}

/**
 * Clears the flags outside of the file. Outside of the file, the codes are a fill value that the rule could treat as a
 * class.
 */
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
