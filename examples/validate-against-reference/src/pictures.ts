import { encodeIndexedPng } from '@headwater/raster';

/** Size of a raster or picture, pixels. */
export interface Size {
  readonly cols: number;
  readonly rows: number;
}

type Rgba = readonly [number, number, number, number];

const CLEAR: Rgba = [0, 0, 0, 0];
/** Colours from full agreement to no agreement (ColorBrewer Reds). */
export const SHADES = ['#d9d9d9', '#fcbba1', '#fb6a4a', '#cb181d', '#67000d'] as const;
/** Upper limit of each shade: share of the comparisons that differ, 0-1. */
export const STEPS = [0, 0.1, 0.25, 0.5, 1] as const;

/**
 * Returns the size of a picture whose longer side has at most `side` pixels, and which is not larger than the raster.
 */
export function shrunk({ cols, rows }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(cols, rows));
  return { cols: Math.max(1, Math.round(cols * scale)), rows: Math.max(1, Math.round(rows * scale)) };
}

/** Maps pixels of a raster to pixels of a smaller picture. */
export class Shrink {
  readonly size: Size;
  readonly #full: Size;

  constructor(full: Size, side: number) {
    this.#full = full;
    this.size = shrunk(full, side);
  }

  at(col: number, row: number): number {
    const { cols, rows } = this.size;
    return Math.floor((row * rows) / this.#full.rows) * cols + Math.floor((col * cols) / this.#full.cols);
  }
}

/** Counts comparisons and differences for each pixel of a picture. */
export class DifferenceCells {
  readonly shrink: Shrink;
  readonly compared: Float64Array;
  readonly different: Float64Array;

  constructor(full: Size, side: number) {
    this.shrink = new Shrink(full, side);
    const count = this.shrink.size.cols * this.shrink.size.rows;
    this.compared = new Float64Array(count);
    this.different = new Float64Array(count);
  }

  add(col: number, row: number, isSame: boolean): void {
    const at = this.shrink.at(col, row);
    this.compared[at] = (this.compared[at] ?? 0) + 1;
    if (!isSame) this.different[at] = (this.different[at] ?? 0) + 1;
  }
}

/** A picture; `href` is a data URL of a PNG. */
export interface Picture extends Size {
  readonly href: string;
}

/** Draws the map. `places` contains for each pixel the index of its class in the legend, or 255 without a class. */
export function mapPicture(size: Size, places: Uint8Array, colors: readonly string[]): Picture {
  const palette = Array.from({ length: 256 }, (_, place) => rgba(colors[place]));
  return picture(size, places, palette);
}

/** Draws the share of differences of each pixel; pixels without comparisons are transparent. */
export function differencePicture({ shrink, compared, different }: DifferenceCells): Picture {
  const pixels = Uint8Array.from(compared, (count, at) => {
    if (count === 0) return 255;
    const share = (different[at] ?? 0) / count;
    return STEPS.findIndex((step) => share <= step);
  });
  return picture(
    shrink.size,
    pixels,
    Array.from({ length: 256 }, (_, step) => rgba(SHADES[step])),
  );
}

function picture({ cols, rows }: Size, pixels: Uint8Array, palette: readonly Rgba[]): Picture {
  const png = encodeIndexedPng({ width: cols, height: rows, pixels, palette });
  return { cols, rows, href: `data:image/png;base64,${Buffer.from(png).toString('base64')}` };
}

function rgba(color: string | undefined): Rgba {
  if (color === undefined) return CLEAR;
  const value = Number.parseInt(color.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255, 255];
}
