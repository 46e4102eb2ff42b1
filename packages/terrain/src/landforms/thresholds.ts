import type { Neighbourhood } from '../surface/ring-sums.ts';

/**
 * Thresholds of the landforms. The rings of 5-10 and 62-67 pixels of 30 m are the kernels of the published layer,
 * after the 300 m and 2 km of Weiss (2001). The slope between plains and open slopes is 5 degrees as in Weiss (2001);
 * the slopes of 6 and 20 degrees are those of the published layer.
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
 * Number of standard deviations of the position index that separates "level" from "higher" and "lower". Sources:
 * Weiss (2001), Jenness (2006).
 */
export const WEISS_LIMIT = 1;

/**
 * Number of standard deviations that separates "level" from "higher" and "lower" in a zone whose heights have the
 * standard deviation `metres`. The number is max(0.3, 3 - log10(metres + 1)), as in the published layer. In flat land,
 * where the index is mostly noise, the limit is 2 to 3. For a standard deviation of 100 m it is about 1, the limit of
 * Weiss.
 */
export function reliefLimit(metres: number): number {
  return Math.max(0.3, 3 - Math.log10(metres + 1));
}
