import { boxPolygon, type TableColumn, type Zone } from '@headwater/core';
import type { PairArea } from '@headwater/core/ports';
import { isMostlySeen } from '@headwater/core/values';
import { hectares } from '@headwater/layer-kit';
import { LULC_CLASSES } from '../../classes/classes.ts';
import { CROP_CODES } from '../cropping-intensity/intensity.ts';
import type { PixelGrid } from '@headwater/core/pixel-plan';

/** Side of a cell in pixels of 10 m: about 1 km at the equator. */
export const CELL_PIXELS = 100;

/** A millionth of the area of a 10 m pixel, in hectares. Smaller areas are rounding errors at the sides of a cell. */
const CRUMB_HA = 0.01 * 1e-6;

/** Returns the area in hectares, or 0 if it is only a rounding error. */
export const wholeArea = (hectares: number): number => (hectares < CRUMB_HA ? 0 : hectares);

/**
 * Returns the square cells that cover an output grid. The edges of the cells are at multiples of `CELL_PIXELS` pixels
 * from (0, 0). So neighbouring tehsils have the same cells along their border. An id such as `8681_1948` contains the
 * numbers of cells east and north of (0, 0).
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

const CROPS = LULC_CLASSES.flatMap(({ code, title, columnPrefix }) =>
  CROP_CODES.includes(code) && columnPrefix !== null ? [{ code, title, prefix: columnPrefix }] : [],
);

/** Columns of a cell in a year: hectares of the cell's crops, and of the cell's land that was not seen. */
export const cropColumns = (year: number): readonly TableColumn[] => [
  hectares('cropped_area_in_ha', `Hectares with any crop, hydrological year ${year}; ${NULL}`),
  ...CROPS.map(({ prefix, title }) =>
    hectares(`${prefix}${year}`, `${title}: hectares, hydrological year ${year}; ${NULL}`),
  ),
  hectares(
    `unseen_area_${year}`,
    `Hectares of the tehsil's land without a class, because too few images show them; hydrological year ${year}`,
  ),
];
const NULL = "null if less than half of the tehsil's land in the cell was seen";

/**
 * Returns the values of `cropColumns`; undefined for a cell that certainly has no crops. Such a cell has no crop class,
 * and at least half of its land was seen. `pairs`: areas by class (`value`) within the tehsil (`by` 1) and outside of
 * the tehsil (`by` 0).
 */
export function cropsOfCell(
  pairs: readonly PairArea[],
  year: number,
): Readonly<Record<string, number | null>> | undefined {
  const own = new Map(pairs.filter(({ by }) => by === 1).map(({ value, areaHa }) => [value, wholeArea(areaHa)]));
  const unseen = own.get(0) ?? 0;
  const land = [...own.values()].reduce((sum, area) => sum + area, 0);
  const known = isMostlySeen(unseen, land);
  const crops = CROPS.map(({ code, prefix }) => [`${prefix}${year}`, own.get(code) ?? 0] as const);
  const cropped = crops.reduce((sum, [, area]) => sum + area, 0);
  if (known && cropped === 0) return undefined;
  const shown = crops.map(([name, area]) => [name, known ? area : null] as const);
  return { cropped_area_in_ha: known ? cropped : null, ...Object.fromEntries(shown), [`unseen_area_${year}`]: unseen };
}
