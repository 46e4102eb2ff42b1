import { boxPolygon, type Zone } from '@headwater/core';
import type { PixelGrid } from '@headwater/core/pixel-plan';

/** Side of a cell in pixels of 10 m: about 1 km at the equator. */
export const CELL_PIXELS = 100;

/** A millionth of a pixel of 10 m, in hectares. Smaller areas are rounding errors of a cell's sides. */
const CRUMB_HA = 0.01 * 1e-6;

/** Returns the area in hectares, or 0 if it is only a rounding error. */
export const wholeArea = (hectares: number): number => (hectares < CRUMB_HA ? 0 : hectares);

/**
 * Returns the square cells that cover an output grid. The edges of the cells are at multiples of `CELL_PIXELS` pixels from (0, 0), so that
 * neighbouring tehsils share cells. An id counts the cells east and north of (0, 0): `8681_1948`.
 */
export function cellsOver({ west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid): readonly Zone[] {
  const [firstCol, firstRow] = [Math.round(west / pixelWidth), -Math.round(north / pixelHeight)];
  const [left, right] = [Math.floor(firstCol / CELL_PIXELS), Math.ceil((firstCol + cols) / CELL_PIXELS)];
  const [top, bottom] = [Math.floor(firstRow / CELL_PIXELS), Math.ceil((firstRow + rows) / CELL_PIXELS)];
  const lon = (col: number): number => col * CELL_PIXELS * pixelWidth;
  const lat = (row: number): number => -row * CELL_PIXELS * pixelHeight;
  const cells: Zone[] = [];
  for (let row = top; row < bottom; row++) {
    for (let col = left; col < right; col++) {
      const geometry = boxPolygon([lon(col), lat(row + 1), lon(col + 1), lat(row)]);
      cells.push({ id: `${col}_${-row - 1}`, geometry });
    }
  }
  return cells;
}
