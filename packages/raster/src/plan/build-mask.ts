import type { MaskRule } from '@headwater/core/pixel-plan';
import type { Kernels } from '../pixels/kernels.ts';
import { bounds, meets, type PixelSize, type PixelWindow } from '../pixels/pixel-window.ts';
import { badFile } from '../tiff/bad-file.ts';
import type { RasterFile } from '../tiff/raster-file.ts';
import type { NearestSampler, PatchAt } from '../warp/resample.ts';
import { type Aligned, underWindow } from './alignment.ts';
import { type AreaMap, meetsArea } from './area-map.ts';
import { type Flags, readFlags, type WindowFlags } from './mask-flags.ts';
import { type BitRows, packBits, type PaneMask, type PaneWindow, rowBytes } from './pane-mask.ts';
import type { MaskReply } from './plan-tasks.ts';
import type { PreparedBand } from './prepared.ts';

/**
 * Maximum number of file pixels under a window: `MOST`, or `MOST_EACH` for each pixel of the window if this is more.
 */
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

const MARGIN = 16;

interface MaskInput {
  readonly band: PreparedBand;
  readonly file: RasterFile;
  readonly rule: MaskRule;
  /** True if the day has other scenes, so that observed pixels are needed. */
  readonly observed: boolean;
  readonly panes: readonly PaneWindow[];
  readonly area: AreaMap;
  readonly sampler: NearestSampler;
}

/** Addresses of the bits of one pane (part of the grid that a worker computes at once); null if no bit is set. */
type PaneBits = BitRows & { readonly clear: number | null; readonly observed: number | null };

/**
 * Computes the clear pixels of one scene, pane by pane, at the resolution of the mask band. A clear pixel has a good
 * code, and no spoiling code (such as cloud) near it. The masks are null if the scene overlaps no pane. Throws
 * `input_data` if the file is broken.
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
  const { area } = input;
  const flags = await readFlags(input, window, kernels);
  const found = eachFreed(under, kernels, ({ pane, native, col, row }) => {
    const at = { stride: rowBytes(native.cols), rows: native.rows, shift: alignment.shift, col, row };
    const bitsOf = (plane: Flags | null): number | null =>
      plane === null ? null : alignedBits({ plane, window, native }, kernels);
    return packed(pane, { ...at, clear: bitsOf(flags.clear), observed: bitsOf(flags.observed) }, { area, kernels });
  });
  return replyOf(found, flags);
}

async function warpedMask(input: MaskInput, kernels: Kernels): Promise<MaskReply> {
  const { band, sampler, area } = input;
  const source = { grid: band.layout.grid, margin: 1 };
  const under = input.panes.flatMap((pane) => {
    const native = sampler.sourceWindow(pane, source);
    return native === null ? [] : [{ pane, native }];
  });
  const window = bounds(under.map(({ native }) => native));
  if (window === null) return NOWHERE;
  checkPatch(window, bounds(under.map(({ pane }) => pane)) ?? window, band.layout.href);
  const flags = await readFlags(input, window, kernels);
  const found = eachFreed(under, kernels, ({ pane }) => {
    const at = { stride: rowBytes(pane.cols), rows: pane.rows, shift: 0, col: 0, row: 0 } as const;
    const bitsOf = (plane: Flags | null): number | null => {
      if (plane === null) return null;
      const patch = { grid: band.layout.grid, window, ...plane, bytes: 1 } as const;
      return warpedBits(patch, pane, { sampler, kernels });
    };
    return packed(pane, { ...at, clear: bitsOf(flags.clear), observed: bitsOf(flags.observed) }, { area, kernels });
  });
  return replyOf(found, flags);
}

/** Maps each entry, and frees the kernels' memory that its mapping has allocated. */
function eachFreed<T, R>(entries: readonly T[], kernels: Kernels, map: (entry: T) => R): R[] {
  const mark = kernels.mark();
  return entries.map((entry) => {
    const mapped = map(entry);
    kernels.reset(mark);
    return mapped;
  });
}

const NOWHERE: MaskReply = { kind: 'mask', masks: null, decoded: 0 };

function replyOf(found: readonly (readonly [number, PaneMask] | null)[], { decoded }: WindowFlags): MaskReply {
  return { kind: 'mask', masks: new Map(found.filter((entry) => entry !== null)), decoded };
}

/** Packs the bits of a pane. Returns null if the pane has no observed pixels and no clear pixels in the area. */
function packed(
  pane: PaneWindow,
  { clear: clearAt, observed: observedAt, ...at }: PaneBits,
  { area, kernels }: { readonly area: AreaMap; readonly kernels: Kernels },
): readonly [number, PaneMask] | null {
  const bitsAt = (address: number | null): Uint8Array | null =>
    address === null ? null : kernels.u8(address, at.stride * at.rows);
  const [clear, observed] = [bitsAt(clearAt), bitsAt(observedAt)];
  const useful = clear !== null && meetsArea(area, pane, { ...at, bits: clear });
  if (!useful && observed === null) return null;
  return [
    pane.id,
    { ...at, clear: useful ? packBits(clear) : null, observed: observed === null ? null : packBits(observed) },
  ];
}

/** Writes the bits of an aligned file to the kernels' memory. Returns their address; null if no bit is set. */
function alignedBits(
  { plane, window, native }: { readonly plane: Flags; readonly window: PixelWindow; readonly native: PixelWindow },
  kernels: Kernels,
): number | null {
  const address = plane.address + (native.row - window.row) * plane.stride + native.col - window.col;
  return bitsOfFlags({ address, stride: plane.stride }, native, kernels);
}

/**
 * Writes the bits of a resampled file to the kernels' memory. Each pixel of the pane gets the flag of the file's pixel
 * that contains its centre. Returns their address; null if no bit is set.
 */
function warpedBits(
  patch: PatchAt,
  pane: PixelWindow,
  { sampler, kernels }: { readonly sampler: NearestSampler; readonly kernels: Kernels },
): number | null {
  const address = kernels.alloc(pane.cols * pane.rows + MARGIN);
  sampler.sample(patch, pane, { address, outside: 0 });
  return bitsOfFlags({ address, stride: pane.cols }, pane, kernels);
}

function bitsOfFlags({ address, stride }: Flags, { cols, rows }: PixelSize, kernels: Kernels): number | null {
  const row = rowBytes(cols);
  const to = kernels.alloc(row * rows + MARGIN);
  kernels.u8(to, row * rows).fill(0);
  return kernels.run.packClear(address, stride, to, row, cols, rows) === 0 ? null : to;
}
