import type { Zone } from '@headwater/core';
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
  const cells: Zone[] = [];
  for (let row = top; row < bottom; row++) {
    for (let col = left; col < right; col++) {
      const [x0, x1] = [col, col + 1].map((each) => each * CELL_PIXELS * pixelWidth);
      const [y1, y0] = [row, row + 1].map((each) => -each * CELL_PIXELS * pixelHeight);
      cells.push({ id: `${col}_${-row - 1}`, geometry: { type: 'Polygon', coordinates: [ringOf([x0, y0, x1, y1])] } });
    }
  }
  return cells;
}

function ringOf([west = 0, south = 0, east = 0, north = 0]: readonly (number | undefined)[]): number[][] {
  return [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ];
}
