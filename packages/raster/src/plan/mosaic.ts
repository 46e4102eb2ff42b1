import type { PixelGrid } from '@headwater/core';
import { intersection } from '../pixels/pixel-window.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { alignGrids } from './alignment.ts';

/** File of a mosaic, and the window of the mosaic that the file covers. */
export interface MosaicFile {
  readonly layout: TiffLayout;
  readonly window: PixelWindow;
}

/** Files with pixels of one size and coinciding edges. They are read as one raster, to avoid seams. */
export interface Mosaic {
  readonly grid: PixelGrid;
  /** Files in order of priority. */
  readonly files: readonly MosaicFile[];
}

/** Joins consecutive files with pixels of one size and coinciding edges. Any other file begins a new mosaic. */
export function mosaicsOf(layouts: readonly TiffLayout[]): readonly Mosaic[] {
  const groups: TiffLayout[][] = [];
  for (const layout of layouts) {
    const group = groups.at(-1);
    const lattice = group?.[0]?.grid;
    const alignment = lattice === undefined ? undefined : alignGrids(layout.grid, lattice);
    if (group !== undefined && alignment?.kind === 'aligned' && alignment.shift === 0) group.push(layout);
    else groups.push([layout]);
  }
  return groups.map(join);
}

function join(layouts: readonly TiffLayout[]): Mosaic {
  const [first] = layouts;
  if (first === undefined) throw new Error('a mosaic needs at least one file');
  const { pixelWidth, pixelHeight, crs } = first.grid;
  const west = Math.min(...layouts.map(({ grid }) => grid.west));
  const north = Math.max(...layouts.map(({ grid }) => grid.north));
  const files = layouts.map((layout) => {
    const col = Math.round((layout.grid.west - west) / pixelWidth);
    const row = Math.round((north - layout.grid.north) / pixelHeight);
    return { layout, window: { col, row, cols: layout.grid.cols, rows: layout.grid.rows } };
  });
  const cols = Math.max(...files.map(({ window }) => window.col + window.cols));
  const rows = Math.max(...files.map(({ window }) => window.row + window.rows));
  return { grid: { crs, west, north, pixelWidth, pixelHeight, cols, rows }, files };
}

/** Part of a window of a mosaic in one file: `part` in pixels of the mosaic, `own` in pixels of the file. */
export interface MosaicPart {
  readonly layout: TiffLayout;
  readonly part: PixelWindow;
  readonly own: PixelWindow;
}

/** Returns the part of a mosaic's window in each file that the window meets. Parts overlap if their files overlap. */
export function partsUnder({ files }: Mosaic, window: PixelWindow): readonly MosaicPart[] {
  return files.flatMap(({ layout, window: fileWindow }) => {
    const part = intersection(fileWindow, window);
    return part === null
      ? []
      : [{ layout, part, own: { ...part, col: part.col - fileWindow.col, row: part.row - fileWindow.row } }];
  });
}
