import type { MaskRule, PixelGrid } from '@headwater/core';
import { sourceCoordinates } from '../warp/coordinates.ts';
import type { PixelWindow } from '../pixels/pixel-array.ts';
import type { PreparedBand, SceneMask } from './prepared.ts';
import { sampleNearest, sourceWindow } from '../warp/resample.ts';
import type { SceneFiles } from './scene-files.ts';

/** A finished mask and the pixels that were decoded for it. */
export interface MaskResult {
  readonly mask: SceneMask | null;
  readonly decoded: number;
}

/** Zero bytes before and after each row of flags, for loads that reach over the edge. */
const MARGIN = 16;
/** Rows of the grid that are resampled at once. */
const STRIP = 64;

/**
 * Clear pixels of one scene over the whole grid: codes kept, less the spoiling ones grown at the mask band's own resolution.
 * Null where the scene does not meet the grid.
 */
export async function buildMask(
  band: PreparedBand,
  plan: { grid: PixelGrid; rule: MaskRule },
  files: SceneFiles,
): Promise<MaskResult> {
  const { kernels } = files.decoder;
  const mark = kernels.mark();
  try {
    return band.alignment.kind === 'aligned'
      ? await alignedMask(band, plan, files)
      : await warpedMask(band, plan, files);
  } finally {
    kernels.reset(mark);
  }
}

async function alignedMask(
  band: PreparedBand,
  { grid, rule }: { grid: PixelGrid; rule: MaskRule },
  files: SceneFiles,
): Promise<MaskResult> {
  if (band.alignment.kind !== 'aligned') throw new Error('the mask is not aligned with the grid');
  const { shift, col, row } = band.alignment;
  const window = { col: col >> shift, row: row >> shift, cols: 0, rows: 0 };
  window.cols = ((col + grid.cols - 1) >> shift) - window.col + 1;
  window.rows = ((row + grid.rows - 1) >> shift) - window.row + 1;
  if (!meets(band.layout.grid, window)) return { mask: null, decoded: 0 };
  const flags = await readFlags(band, { window, rule }, files);
  const packed = packFlags(flags, window, files);
  const mask = {
    ...packed,
    cols: window.cols,
    rows: window.rows,
    shift,
    col: col - (window.col << shift),
    row: row - (window.row << shift),
  };
  return { mask, decoded: flags.decoded };
}

async function warpedMask(
  band: PreparedBand,
  { grid, rule }: { grid: PixelGrid; rule: MaskRule },
  files: SceneFiles,
): Promise<MaskResult> {
  const source = band.layout.grid;
  const whole = { col: 0, row: 0, cols: grid.cols, rows: grid.rows };
  const window = sourceWindow(grid, whole, { grid: source, margin: 1 });
  if (window === null) return { mask: null, decoded: 0 };
  const flags = await readFlags(band, { window, rule }, files);
  const { kernels } = files.decoder;
  const clear = new Uint8Array(window.cols * window.rows);
  for (let r = 0; r < window.rows; r++) {
    const line = kernels.u8(flags.address + r * flags.stride, window.cols);
    for (let c = 0; c < window.cols; c++) clear[r * window.cols + c] = line[c] === 1 ? 1 : 0;
  }
  const stride = rowBytes(grid.cols);
  const bits = new SharedArrayBuffer(stride * grid.rows + MARGIN);
  const out = new Uint8Array(bits);
  const line = new Uint8Array(grid.cols * STRIP);
  for (let top = 0; top < grid.rows; top += STRIP) {
    const strip = { col: 0, row: top, cols: grid.cols, rows: Math.min(STRIP, grid.rows - top) };
    const at = sourceCoordinates(grid, strip, source.crs);
    sampleNearest({ grid: source, window, pixels: clear, nodata: null }, at, { target: line, outside: 0 });
    for (let i = 0; i < strip.rows * grid.cols; i++) {
      if (line[i] === 0) continue;
      const byte = (top + Math.floor(i / grid.cols)) * stride + ((i % grid.cols) >> 3);
      out[byte] = (out[byte] ?? 0) | (1 << ((i % grid.cols) & 7));
    }
  }
  return { mask: { bits, stride, cols: grid.cols, rows: grid.rows, shift: 0, col: 0, row: 0 }, decoded: flags.decoded };
}

function meets(grid: PixelGrid, window: PixelWindow): boolean {
  return (
    window.col < grid.cols && window.row < grid.rows && window.col + window.cols > 0 && window.row + window.rows > 0
  );
}

/** Flags of a window in the kernels' memory: `address` is its first pixel, rows are `stride` bytes apart. */
interface Flags {
  readonly address: number;
  readonly stride: number;
  readonly decoded: number;
}

async function readFlags(
  band: PreparedBand,
  { window, rule }: { window: PixelWindow; rule: MaskRule },
  files: SceneFiles,
): Promise<Flags> {
  const { kernels } = files.decoder;
  const halo = Math.max(0, Math.floor(rule.dilate));
  const wide = {
    col: window.col - halo,
    row: window.row - halo,
    cols: window.cols + 2 * halo,
    rows: window.rows + 2 * halo,
  };
  const stride = Math.ceil((wide.cols + 2 * MARGIN) / MARGIN) * MARGIN;
  const codes = kernels.alloc(wide.cols * wide.rows + MARGIN);
  const bytes = stride * (wide.rows + 2);
  let [from, to] = [kernels.alloc(bytes + MARGIN), kernels.alloc(bytes + MARGIN)];
  kernels.u8(from, bytes).fill(0);
  kernels.u8(to, bytes).fill(0);
  const table = kernels.alloc(256);
  kernels.u8(table, 256).set(flagTable(rule));
  const decoded = await files.get(band).readWindowAt(wide, codes);
  kernels.run.flagCodes(codes, from + stride + MARGIN, stride, wide.cols, wide.rows, table);
  clearOutside(kernels.u8(from, bytes), { wide, stride }, band.layout.grid);
  for (let pass = 0; pass < halo; pass++) {
    kernels.run.dilate(from + stride + MARGIN, to + stride + MARGIN, stride, wide.cols, wide.rows);
    [from, to] = [to, from];
  }
  return { address: from + (1 + halo) * stride + MARGIN + halo, stride, decoded };
}

function flagTable({ keep, grow }: MaskRule): Uint8Array {
  const table = new Uint8Array(256);
  for (const code of keep) table[code] = (table[code] ?? 0) | 1;
  for (const code of grow) table[code] = (table[code] ?? 0) | 2;
  return table;
}

/** Beyond the file nothing is clear, whatever its fill value means. */
function clearOutside(
  plane: Uint8Array,
  { wide, stride }: { wide: PixelWindow; stride: number },
  grid: PixelGrid,
): void {
  const left = Math.min(Math.max(0, -wide.col), wide.cols);
  const right = Math.min(Math.max(0, wide.col + wide.cols - grid.cols), wide.cols);
  for (let r = 0; r < wide.rows; r++) {
    const at = (1 + r) * stride + MARGIN;
    const beyond = wide.row + r < 0 || wide.row + r >= grid.rows;
    if (beyond) plane.fill(0, at, at + wide.cols);
    if (left > 0) plane.fill(0, at, at + left);
    if (right > 0) plane.fill(0, at + wide.cols - right, at + wide.cols);
  }
}

/** Bytes of one row of bits: whole 16-bit words, and one more that loads may touch. */
function rowBytes(cols: number): number {
  return 2 * Math.ceil(cols / 16) + 2;
}

function packFlags(flags: Flags, window: PixelWindow, files: SceneFiles): { bits: SharedArrayBuffer; stride: number } {
  const { kernels } = files.decoder;
  const stride = rowBytes(window.cols);
  const address = kernels.alloc(stride * window.rows + MARGIN);
  kernels.u8(address, stride * window.rows).fill(0);
  kernels.run.packClear(flags.address, flags.stride, address, stride, window.cols, window.rows);
  const bits = new SharedArrayBuffer(stride * window.rows + MARGIN);
  new Uint8Array(bits).set(kernels.u8(address, stride * window.rows));
  return { bits, stride };
}
