import type { Outline } from '@headwater/core';
import { boxOf, multiCoordinates, OUTPUT_PIXEL_DEG, pixelAreasM2 } from '@headwater/core/geo';

/** Height of a row, degrees (about 10 m). An outline is cut into horizontal rows, and areas are summed row by row. */
const ROW = OUTPUT_PIXEL_DEG;

/**
 * An outline that is cut into rows. Rows are numbered northwards from the equator. For each row, the points are stored
 * where the middle line of the row crosses the borders of the outline.
 */
export interface OutlineRows {
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Number of the first row. */
  readonly first: number;
  /**
   * Longitudes of the crossings of each row, ascending. Their number is even: each pair is the begin and the end of a
   * part inside of the outline.
   */
  readonly crossings: readonly (readonly number[])[];
}

/** Cuts an outline (lon/lat) into rows; holes are left out by the even-odd rule. */
export function outlineRows(outline: Outline): OutlineRows {
  const box = boxOf([outline]);
  const first = Math.floor(box[1] / ROW);
  const crossings: number[][] = Array.from({ length: Math.ceil(box[3] / ROW) - first + 1 }, () => []);
  for (const ring of multiCoordinates([outline]).flat()) {
    for (let k = 1; k < ring.length; k += 1) {
      const [[x0 = NaN, y0 = NaN], [x1 = NaN, y1 = NaN]] = [ring[k - 1]!, ring[k]!];
      // If the middle line of a row is exactly at a corner, only the edge above the corner counts as crossed, so that
      // the corner is not counted twice.
      const [low, high] = [Math.min(y0, y1), Math.max(y0, y1)];
      for (let row = Math.ceil(low / ROW - 0.5); (row + 0.5) * ROW < high; row += 1)
        crossings[row - first]!.push(x0 + (((row + 0.5) * ROW - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  for (const row of crossings) row.sort((a, b) => a - b);
  return { box, first, crossings };
}

/** Hectares (ellipsoid) that two outlines have in common, summed by rows of about 10 m. */
export function overlapHa(a: OutlineRows, b: OutlineRows): number {
  if (a.box[0] > b.box[2] || b.box[0] > a.box[2]) return 0;
  const first = Math.max(a.first, b.first);
  const end = Math.min(a.first + a.crossings.length, b.first + b.crossings.length);
  let m2 = 0;
  for (let row = first; row < end; row += 1) {
    const width = commonWidth(a.crossings[row - a.first]!, b.crossings[row - b.first]!);
    if (width > 0) m2 += width * areaPerDegree(row);
  }
  return m2 / 10_000;
}

/** Area of a row per degree of longitude, m2. */
const areaPerDegree = (row: number): number =>
  pixelAreasM2({ north: (row + 1) * ROW, pixelHeight: ROW, pixelWidth: 1, rows: 1 })[0]!;

/**
 * Length that two lists of intervals have in common. A list contains the begin and the end of each interval: from, to,
 * from, to, ...
 */
function commonWidth(a: readonly number[], b: readonly number[]): number {
  let width = 0;
  let [i, j] = [0, 0];
  while (i < a.length && j < b.length) {
    width += Math.max(0, Math.min(a[i + 1]!, b[j + 1]!) - Math.max(a[i]!, b[j]!));
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return width;
}
