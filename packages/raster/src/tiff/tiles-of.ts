import type { TiffLevel } from './layout.ts';
import type { PixelWindow } from '../pixels/pixel-window.ts';

/** Part of one tile that a window needs, in the tile's own pixels. */
export interface TilePart extends PixelWindow {
  /** Index in the tile tables of the file. */
  readonly index: number;
  /** Number of rows that are stored in this tile. */
  readonly tileRows: number;
  /** First column of the part in the requested window. */
  readonly outCol: number;
  /** First row of the part in the requested window. */
  readonly outRow: number;
}

/** First pixel of a tile, and number of its rows that are inside of the image. */
export function insideOf({ tile, cols, rows }: TiffLevel, index: number): Omit<PixelWindow, 'cols'> {
  const across = Math.ceil(cols / tile.cols);
  const row = Math.floor(index / across) * tile.rows;
  return { col: (index % across) * tile.cols, row, rows: Math.min(tile.rows, rows - row) };
}

/** Tiles that overlap a window, row by row; none outside of the image. */
export function tilesOf(level: TiffLevel, window: PixelWindow): TilePart[] {
  const { tile } = level;
  const across = Math.ceil(level.cols / tile.cols);
  const col0 = Math.max(window.col, 0);
  const row0 = Math.max(window.row, 0);
  const col1 = Math.min(window.col + window.cols, level.cols);
  const row1 = Math.min(window.row + window.rows, level.rows);
  const parts: TilePart[] = [];
  if (col0 >= col1 || row0 >= row1) return parts;
  for (let ty = Math.floor(row0 / tile.rows); ty * tile.rows < row1; ty++) {
    for (let tx = Math.floor(col0 / tile.cols); tx * tile.cols < col1; tx++) {
      const [left, top] = [Math.max(col0, tx * tile.cols), Math.max(row0, ty * tile.rows)];
      parts.push({
        index: ty * across + tx,
        tileRows: level.tiled ? tile.rows : Math.min(tile.rows, level.rows - ty * tile.rows),
        col: left - tx * tile.cols,
        row: top - ty * tile.rows,
        cols: Math.min(col1, (tx + 1) * tile.cols) - left,
        rows: Math.min(row1, (ty + 1) * tile.rows) - top,
        outCol: left - window.col,
        outRow: top - window.row,
      });
    }
  }
  return parts;
}
