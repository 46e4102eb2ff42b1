import type { Neighbourhood } from '../surface/ring-sums.ts';

/**
 * Thresholds of landforms. Rings are in pixels of 30 m (published layer, after 300 m and 2 km of Weiss 2001). Slopes: 5
 * degrees of Weiss, 6 and 20 of the published layer.
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

/** Limit of "level" in standard deviations of the position index. Sources: Weiss (2001), Jenness (2006). */
export const WEISS_LIMIT = 1;

/**
 * Limit of "level" by the standard deviation of heights, m: max(0.3, 3 - log10(metres + 1)), as in the published layer.
 * In flat land the index is mostly noise.
 */
export function reliefLimit(metres: number): number {
  return Math.max(0.3, 3 - Math.log10(metres + 1));
}
