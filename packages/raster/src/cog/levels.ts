import type { CogFormat } from './cog-image.ts';

/** One resolution of a COG. */
export interface Level {
  readonly cols: number;
  readonly rows: number;
  readonly tilesAcross: number;
  readonly tilesDown: number;
}

/**
 * Levels of a COG: full resolution first, then overviews of half the size (rounded up, as in gdaladdo) until an
 * overview fits into one tile.
 */
export function levelsOf({ grid, tileSize, overviews }: CogFormat): Level[] {
  let last = level(grid.cols, grid.rows, tileSize);
  const levels = [last];
  if (overviews === 'none') return levels;
  while (Math.max(last.cols, last.rows) > tileSize) {
    last = level(Math.ceil(last.cols / 2), Math.ceil(last.rows / 2), tileSize);
    levels.push(last);
  }
  return levels;
}

function level(cols: number, rows: number, tileSize: number): Level {
  return { cols, rows, tilesAcross: Math.ceil(cols / tileSize), tilesDown: Math.ceil(rows / tileSize) };
}
