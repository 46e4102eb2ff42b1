import type { PixelGrid } from '@headwater/core';
import { SLACK } from '../pixels/kernels.ts';
import { bytesOf, createPixels, type PixelArray } from '../pixels/pixel-array.ts';
import type { PixelSize, PixelWindow } from '../pixels/pixel-window.ts';
import { NearestSampler, type PatchAt } from '../warp/resample.ts';
import type { TiffLevel } from '../tiff/layout.ts';
import { insideOf } from '../tiff/tiles-of.ts';
import type { UnfinishedTiles } from '../tiff/unfinished-tiles.ts';
import { underWindow } from './alignment.ts';
import type { Aligned } from './alignment.ts';
import type { PreparedBand, PreparedScene } from './prepared.ts';
import { readingScene } from './scene-files.ts';
import { checkPatch } from './build-mask.ts';
import type { SceneFiles } from './scene-files.ts';

/**
 * 16-bit samples of a band in the kernels' memory. Pixel (x, y) of the window has the sample at ((x + col) >> shift, (y
 * + row) >> shift).
 */
export interface BandPlane {
  readonly address: number;
  /** Number of samples per row. */
  readonly stride: number;
  readonly shift: 0 | 1;
  readonly col: number;
  readonly row: number;
  /** Offset that is added to the samples before use. */
  readonly offset: number;
  /** Nodata value as a 16-bit pattern; null if all samples are data. */
  readonly nodata: number | null;
}

/** Memory for the samples of a band under a window of this size, bytes. */
export function planeBytes({ cols, rows }: PixelSize): number {
  return 2 * (cols + 2) * (rows + 2) + SLACK;
}

/** Window to read, and memory of `planeBytes(window)` bytes. */
interface PlaneTarget {
  /** Window in pixels of the plan's grid. */
  readonly window: PixelWindow;
  readonly address: number;
  /** Part of the window whose samples are used. Tiles outside of this part are not decoded. */
  readonly used: PixelWindow;
  /** Tiles of the band that earlier windows have begun; undefined if the tiles can only be decoded as a whole. */
  readonly unfinished?: UnfinishedTiles | undefined;
}

/** Reads bands for windows of the grid; resamples bands that are not aligned with the grid. */
export class BandReader {
  decoded = 0;
  readonly #files: SceneFiles;
  readonly #sampler: NearestSampler;

  constructor(grid: PixelGrid, files: SceneFiles) {
    this.#files = files;
    this.#sampler = new NearestSampler(grid, files.decoder.kernels);
  }

  /** Loads the samples of a scene's band; throws a `SceneFailure` if the file is broken. */
  async load(scene: PreparedScene, band: PreparedBand, target: PlaneTarget): Promise<BandPlane> {
    const { alignment, offset } = band;
    const place = await readingScene(scene, () =>
      alignment.kind === 'warp' ? this.#loadWarped(band, target) : this.#loadAligned(band, alignment, target),
    );
    return { address: target.address, ...place, offset, nodata: patternOf(band) };
  }

  /**
   * Decodes the last rows of unfinished tiles. No window needs these rows, but the checksum of a tile is compared at
   * its end. Throws a `SceneFailure` if a tile is damaged.
   */
  async finish(scene: PreparedScene, band: PreparedBand, unfinished: UnfinishedTiles): Promise<void> {
    const [level] = band.layout.levels;
    if (level === undefined) return;
    const { kernels } = this.#files.decoder;
    const mark = kernels.mark();
    const address = kernels.alloc(SLACK);
    await readingScene(scene, async () => {
      for (const index of unfinished.indices)
        this.#count(await this.#files.get(band).readWindowAt(lastPixel(level, index), address, { unfinished }));
    });
    kernels.reset(mark);
  }

  async #loadAligned(
    band: PreparedBand,
    alignment: Aligned,
    { window, address, used, unfinished }: PlaneTarget,
  ): Promise<Place> {
    const { native, col, row } = underWindow(alignment, window);
    const file = this.#files.get(band);
    const { kernels } = this.#files.decoder;
    const pixels = native.cols * native.rows;
    if (file.dtype === 'uint8') {
      const bytes = new Uint8Array(pixels);
      this.#count(await file.readWindow(native, bytes));
      kernels.u16(address, pixels).set(bytes);
    } else {
      this.#count(
        await file.readWindowAt(native, address, {
          used: underWindow(alignment, used).native,
          ...(unfinished && { unfinished }),
        }),
      );
      this.#clamp(band, address, pixels);
    }
    return { stride: native.cols, shift: alignment.shift, col, row };
  }

  async #loadWarped(band: PreparedBand, { window, address, used }: PlaneTarget): Promise<Place> {
    const { kernels } = this.#files.decoder;
    const file = this.#files.get(band);
    const pixels = window.cols * window.rows;
    const outside = band.nodata ?? 0;
    const native = this.#sampler.sourceWindow(used, { grid: file.grid, margin: 1 });
    if (native === null) {
      kernels.i16(address, pixels).fill(outside);
    } else {
      checkPatch(native, used, file.href);
      const samples = createPixels(file.dtype, native.cols * native.rows);
      this.#count(await file.readWindow(native, samples));
      this.#sample({ grid: file.grid, window: native, samples }, window, { address, outside });
    }
    this.#clamp(band, address, pixels);
    return { stride: window.cols, shift: 0, col: 0, row: 0 };
  }

  /**
   * Resamples a window. The samples are copied into the kernels' memory only after the read, because other bands use
   * this memory during the read.
   */
  #sample(
    { grid, window: native, samples }: Omit<PatchAt, 'address' | 'bytes' | 'stride'> & { samples: PixelArray },
    window: PixelWindow,
    { address, outside }: { readonly address: number; readonly outside: number },
  ): void {
    const { kernels } = this.#files.decoder;
    const bytes = samples.BYTES_PER_ELEMENT === 1 ? 1 : 2;
    const pixels = window.cols * window.rows;
    const mark = kernels.mark();
    const from = kernels.alloc(samples.byteLength);
    const to = bytes === 2 ? address : kernels.alloc(pixels);
    kernels.u8(from, samples.byteLength).set(bytesOf(samples));
    const patch = { grid, window: native, address: from, stride: native.cols, bytes } as const;
    this.#sampler.sample(patch, window, { address: to, outside });
    if (bytes === 1) kernels.u16(address, pixels).set(kernels.u8(to, pixels));
    kernels.reset(mark);
  }

  /** Adds pixels that were already decoded. `decoded += await ...` would lose the pixels of concurrent reads. */
  #count(pixels: number): void {
    this.decoded += pixels;
  }

  /** The kernel of `ratio` reads unsigned samples. So negative values become 0, and nodata becomes 0x8000. */
  #clamp({ layout, nodata, use }: PreparedBand, address: number, pixels: number): void {
    if (layout.dtype !== 'int16' || use !== 'ratio') return;
    const samples = this.#files.decoder.kernels.i16(address, pixels);
    for (let i = 0; i < samples.length; i++) {
      const value = samples[i]!;
      if (value === nodata) samples[i] = -SIGNED_NODATA;
      else if (value < 0) samples[i] = 0;
    }
  }
}

/** Window of one pixel in the last row of a tile. */
function lastPixel(level: TiffLevel, index: number): PixelWindow {
  const { col, row, rows } = insideOf(level, index);
  return { col, row: row + rows - 1, cols: 1, rows: 1 };
}

type Place = Pick<BandPlane, 'stride' | 'shift' | 'col' | 'row'>;

const SIGNED_NODATA = 0x8000;

/** Nodata value after `load` as an unsigned 16-bit pattern; null if all samples are data. */
function patternOf({ nodata, layout, use }: PreparedBand): number | null {
  if (nodata === null || layout.dtype !== 'int16') return nodata;
  return use === 'ratio' ? SIGNED_NODATA : nodata & 0xffff;
}
