import { boxPolygon, type TableColumn, type Zone } from '@headwater/core';
import type { PairArea } from '@headwater/core/ports';
import { isMostlySeen } from '@headwater/core/values';
import { hectares } from '@headwater/layer-kit';
import { LULC_CLASSES } from '../../classes/classes.ts';
import { CROP_CODES } from '../cropping-intensity/intensity.ts';
import type { PixelGrid } from '@headwater/core/pixel-plan';

/** Side of a cell in pixels of 10 m: about 1 km at the equator. */
export const CELL_PIXELS = 100;

/** A millionth of a pixel's area, ha. Smaller areas are rounding errors at the sides of a cell. */
const CRUMB_HA = 0.01 * 1e-6;

/** Area in hectares, or 0 for a rounding error. */
export const wholeArea = (hectares: number): number => (hectares < CRUMB_HA ? 0 : hectares);

/**
 * Square cells over a grid. Their edges are at multiples of `CELL_PIXELS` pixels from longitude 0 and latitude 0, so
 * that neighbouring tehsils share cells. An id such as `8681_1948` is the cell's number east and north of this origin.
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

/** Columns of a cell in a year: hectares of crops and of unseen land. */
export const cropColumns = (year: number): readonly TableColumn[] => [
  hectares('cropped_area_in_ha', `Hectares with any crop, hydrological year ${year}; ${NULL}`),
  ...CROPS.map(({ prefix, title }) =>
    hectares(`${prefix}${year}`, `${title}: hectares, hydrological year ${year}; ${NULL}`),
  ),
  hectares(
    `unseen_area_${year}`,
    `Hectares of the cell that are in the tehsil and have no class, because too few images show them; hydrological year ${year}`,
  ),
];
const NULL = "null if less than half of the tehsil's land in the cell was seen";

/**
 * Values of `cropColumns`; undefined for a mostly seen cell without crops. `pairs`: areas by class (`value`) inside
 * (`by` 1) and outside (`by` 0) of the tehsil.
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
