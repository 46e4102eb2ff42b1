import type { Neighbourhood } from '../surface/ring-sums.ts';

/**
 * Thresholds of the landforms. Rings: 5-10 and 62-67 pixels of 30 m, the published layer's kernels after the 300 m and 2 km of
 * Weiss (2001). Slopes: Weiss's 5 degrees between plains and open slopes; 6 and 20 degrees as in the published layer.
 */
export const LANDFORM_THRESHOLDS = {
  near: { innerMetres: 150, outerMetres: 300 },
  far: { innerMetres: 1860, outerMetres: 2010 },
  plainBelowDegrees: 5,
  mesaBelowDegrees: 6,
  upperSlopeFromDegrees: 20,
} as const satisfies {
  near: Neighbourhood;
  far: Neighbourhood;
  plainBelowDegrees: number;
  mesaBelowDegrees: number;
  upperSlopeFromDegrees: number;
};

/**
 * Standard deviations of the position index that separate "level" from "higher" and "lower". Source: Weiss (2001),
 * Jenness (2006).
 */
export const WEISS_LIMIT = 1;

/**
 * Standard deviations that separate "level" from "higher" and "lower" in a zone whose heights have the standard deviation
 * `metres`: max(0.3, 3 - log10(metres + 1)), as in the published layer. In flat land, where the index is noise, the limit is 2-3;
 * for a standard deviation of 100 m it is Weiss's 1.
 */
export function reliefLimit(metres: number): number {
  return Math.max(0.3, 3 - Math.log10(metres + 1));
}
