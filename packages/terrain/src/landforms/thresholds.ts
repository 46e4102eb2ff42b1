import type { Neighbourhood } from '../surface/ring-sums.ts';

/** Thresholds of landforms. Rings and slopes are as in the published layer, after Weiss (2001). */
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

/** Limit of level land, in standard deviations of the position index. Sources: Weiss (2001), Jenness (2006). */
export const WEISS_LIMIT = 1;

/**
 * Limit of level land for a standard deviation of heights in m: max(0.3, 3 - log10(metres + 1)), as in the published
 * layer.
 */
export function reliefLimit(metres: number): number {
  return Math.max(0.3, 3 - Math.log10(metres + 1));
}
