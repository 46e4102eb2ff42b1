import type { PixelGrid } from '@headwater/core';
import { intersection } from '../pixels/pixel-window.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';
import type { TiffLayout } from '../tiff/layout.ts';
import { alignGrids } from './alignment.ts';

/** A file and the pixels of a mosaic that it holds. */
export interface MosaicFile {
  readonly layout: TiffLayout;
  readonly window: PixelWindow;
}

/** Files whose pixels lie on one lattice, seen as one raster: interpolation knows no seam between the tiles of a terrain model. */
export interface Mosaic {
  readonly grid: PixelGrid;
  /** In the order in which they are asked. */
  readonly files: readonly MosaicFile[];
}

/** Joins neighbours of a list that share a lattice; the others stay alone, in their order. */
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
  if (first === undefined) throw new Error('a mosaic without files');
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

/** What one file holds of a window of a mosaic: pixels `part` of the mosaic, which are `own` of the file. */
export interface MosaicPart {
  readonly layout: TiffLayout;
  readonly part: PixelWindow;
  readonly own: PixelWindow;
}

/** The files of a mosaic that a window of it meets. */
export function partsUnder({ files }: Mosaic, window: PixelWindow): readonly MosaicPart[] {
  return files.flatMap(({ layout, window: held }) => {
    const part = intersection(held, window);
    return part === null
      ? []
      : [{ layout, part, own: { ...part, col: part.col - held.col, row: part.row - held.row } }];
  });
}
