import type { PixelGrid } from '@headwater/core';
import type { MaskRule } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { bounds, meets, type PixelSize, type PixelWindow } from '../pixels/pixel-window.ts';
import { badFile } from '../tiff/bad-file.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import { sourceWindow, sampleNearest, type SourcePatch } from '../warp/resample.ts';
import { type Aligned, underWindow } from './alignment.ts';
import { type AreaMap, meetsArea } from './area-map.ts';
import { type Flags, readFlags, type WindowFlags } from './mask-flags.ts';
import { type BitRows, packBits, type PaneMask, type PaneWindow, rowBytes } from './pane-mask.ts';
import type { MaskReply } from './plan-tasks.ts';
import type { PreparedBand } from './prepared.ts';

/** Maximum number of file pixels in memory under a window of the grid: `MOST`, or for a large window `MOST_EACH` for each of its pixels. */
const [MOST, MOST_EACH] = [2 ** 24, 16];

/** Throws `input_data` for a file with more pixels in a window of the grid than fit in memory. */
export function checkPatch(native: PixelSize, window: PixelSize, href: string): void {
  if (native.cols * native.rows <= Math.max(MOST, MOST_EACH * window.cols * window.rows)) return;
  throw badFile(
    href,
    `its pixels are too small: ${native.cols} x ${native.rows} of them are under ${window.cols} x ${window.rows} pixels ` +
      'of the map; rewrite it with pixels of the size of the map (`gdalwarp -tr`)',
  );
}

/** Number of zero bytes after a mask's last row, for loads that read beyond the edge. */
const MARGIN = 16;

/** Input for the mask of one scene. */
interface MaskInput {
  readonly band: PreparedBand;
  /** The band's open file. */
  readonly file: RasterFile;
  readonly rule: MaskRule;
  /** True if other scenes of the day need the observed pixels of this scene. */
  readonly observed: boolean;
  readonly grid: PixelGrid;
  readonly panes: readonly PaneWindow[];
  readonly area: AreaMap;
}

/** Bits of one pane, and their layout. */
type PaneBits = BitRows & { readonly clear: Uint8Array | null; readonly observed: Uint8Array | null };

/**
 * Computes the clear pixels of one scene, pane by pane: pixels with good codes, except those near spoiling codes, at the mask band's own
 * resolution. Only the part of the file under the panes is read. The reply's masks are null if the scene meets no pane. Throws `input_data`
 * if the file is broken.
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
  const under = input.panes
    .map((pane) => ({ pane, ...underWindow(alignment, pane) }))
    .filter(({ native }) => meets(input.band.layout.grid, native));
  const window = bounds(under.map(({ native }) => native));
  if (window === null) return NOWHERE;
  const flags = await readFlags(input, window, kernels);
  const found = under.map(({ pane, native, col, row }) => {
    const at = { stride: rowBytes(native.cols), rows: native.rows, shift: alignment.shift, col, row };
    const bitsOf = (plane: Flags | null): Uint8Array | null =>
      plane === null ? null : alignedBits({ plane, window, native }, kernels);
    return packed(pane, { ...at, clear: bitsOf(flags.clear), observed: bitsOf(flags.observed) }, input.area);
  });
  return replyOf(found, flags);
}

async function warpedMask(input: MaskInput, kernels: Kernels): Promise<MaskReply> {
  const { grid, band } = input;
  const source = { grid: band.layout.grid, margin: 1 };
  const under = input.panes.flatMap((pane) => {
    const native = sourceWindow(grid, pane, source);
    return native === null ? [] : [{ pane, native }];
  });
  const window = bounds(under.map(({ native }) => native));
  if (window === null) return NOWHERE;
  checkPatch(window, bounds(under.map(({ pane }) => pane)) ?? window, band.layout.href);
  const flags = await readFlags(input, window, kernels);
  const patch = { grid: band.layout.grid, window, pixels: codesOf(flags, window, kernels) };
  const found = under.map(({ pane }) => {
    const at = { stride: rowBytes(pane.cols), rows: pane.rows, shift: 0, col: 0, row: 0 } as const;
    return packed(pane, { ...at, ...warpedBits(patch, { grid, window: pane }, input.observed) }, input.area);
  });
  return replyOf(found, flags);
}

/** Reply for a scene that meets no pane. */
const NOWHERE: MaskReply = { kind: 'mask', masks: null, decoded: 0 };

function replyOf(found: readonly (readonly [number, PaneMask] | null)[], { decoded }: WindowFlags): MaskReply {
  return { kind: 'mask', masks: new Map(found.filter((entry) => entry !== null)), decoded };
}

/**
 * Packs the bits of a pane; null if no bit is useful. A pane whose clear pixels are all outside of the area counts as a pane without clear
 * pixels.
 */
function packed(
  pane: PaneWindow,
  { clear, observed, ...at }: PaneBits,
  area: AreaMap,
): readonly [number, PaneMask] | null {
  const useful = clear !== null && meetsArea(area, pane, { ...at, bits: clear });
  const seen = observed !== null && observed.some((byte) => byte !== 0);
  if (!useful && !seen) return null;
  return [pane.id, { ...at, clear: useful ? packBits(clear) : null, observed: seen ? packBits(observed) : null }];
}

/** Bits of the flags under one pane; null if no bit is set. */
function alignedBits(
  { plane, window, native }: { readonly plane: Flags; readonly window: PixelWindow; readonly native: PixelWindow },
  kernels: Kernels,
): Uint8Array | null {
  const stride = rowBytes(native.cols);
  const bytes = stride * native.rows;
  const mark = kernels.mark();
  const to = kernels.alloc(bytes + MARGIN);
  kernels.u8(to, bytes).fill(0);
  const from = plane.address + (native.row - window.row) * plane.stride + native.col - window.col;
  const set = kernels.run.packClear(from, plane.stride, to, stride, native.cols, native.rows);
  const bits = set === 0 ? null : kernels.u8(to, bytes).slice();
  kernels.reset(mark);
  return bits;
}

/** Number of rows of the grid that are resampled in one step. */
const STRIP = 64;

/** Bits of a sampled pixel. */
const CLEAR = 1;
const OBSERVED = 2;

/** Codes of a window of the file, one byte a pixel, in the kernels' memory: bit 0 = clear, bit 1 = observed. */
function codesOf(flags: WindowFlags, { cols, rows }: PixelWindow, kernels: Kernels): Uint8Array {
  // The codes are not on the JavaScript heap, which would not shrink again after a whole tile.
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
function warpedBits(
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
