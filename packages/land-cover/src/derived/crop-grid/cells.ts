import { boxPolygon, type Zone } from '@headwater/core';
import type { PixelGrid } from '@headwater/core/pixel-plan';

/** Pixels of 10 m along a cell's side: about 1 km on the equator. */
export const CELL_PIXELS = 100;

/** A millionth of a pixel of 10 m in hectares: less is no land, but what the rounding of a cell's sides leaves of the pixels beyond them. */
const CRUMB_HA = 0.01 * 1e-6;

/** The area in hectares; 0 for a crumb of a neighbouring cell. */
export const wholeArea = (hectares: number): number => (hectares < CRUMB_HA ? 0 : hectares);

/**
 * Square cells over an output grid, their sides on multiples of `CELL_PIXELS` pixels from (0, 0), so that neighbouring tehsils share them.
 * Ids count cells east and north of (0, 0): `8681_1948`.
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
