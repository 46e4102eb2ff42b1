import type { Outline } from '@headwater/core';
import { boxOf, multiCoordinates, OUTPUT_PIXEL_DEG, pixelAreasM2 } from '@headwater/core/geo';

/** Height of a row, degrees (about 10 m). Areas are summed by horizontal rows. */
const ROW = OUTPUT_PIXEL_DEG;

/** Outline in rows, numbered northwards from the equator, with the crossings of each row's middle line. */
export interface OutlineRows {
  readonly box: readonly [west: number, south: number, east: number, north: number];
  /** Number of the first row. */
  readonly first: number;
  /** Longitudes of the crossings, ascending. Between the two longitudes of each pair, the row is inside the outline. */
  readonly crossings: readonly (readonly number[])[];
}

/** Cuts a lon/lat outline into rows; holes are left out by the even-odd rule. */
export function outlineRows(outline: Outline): OutlineRows {
  const box = boxOf([outline]);
  const first = Math.floor(box[1] / ROW);
  const crossings: number[][] = Array.from({ length: Math.ceil(box[3] / ROW) - first + 1 }, () => []);
  for (const ring of multiCoordinates([outline]).flat()) {
    for (let k = 1; k < ring.length; k += 1) {
      const [[x0 = NaN, y0 = NaN], [x1 = NaN, y1 = NaN]] = [ring[k - 1]!, ring[k]!];
      // At a corner, only the edge above counts as crossed, so that the corner is not counted twice.
      const [low, high] = [Math.min(y0, y1), Math.max(y0, y1)];
      for (let row = Math.ceil(low / ROW - 0.5); (row + 0.5) * ROW < high; row += 1)
        crossings[row - first]!.push(x0 + (((row + 0.5) * ROW - y0) / (y1 - y0)) * (x1 - x0));
    }
  }
  for (const row of crossings) row.sort((a, b) => a - b);
  return { box, first, crossings };
}

/** Common hectares (ellipsoid) of two outlines. */
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

const areaPerDegree = (row: number): number =>
  pixelAreasM2({ north: (row + 1) * ROW, pixelHeight: ROW, pixelWidth: 1, rows: 1 })[0]!;

/** Common length of two lists of intervals: from, to, from, to, ... */
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
