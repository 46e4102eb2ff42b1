import type { Five } from '../second/canopy.ts';

/** Reflectance (0-1) in blue, green, red, near and short-wave infrared (1.6 um), rounded from public libraries. */
export const GROUND = {
  darkClay: [0.05, 0.067, 0.083, 0.115, 0.17],
  redLoam: [0.06, 0.09, 0.15, 0.215, 0.3],
  alluvium: [0.09, 0.122, 0.16, 0.22, 0.3],
  loess: [0.125, 0.172, 0.222, 0.28, 0.355],
  brownEarth: [0.055, 0.075, 0.1, 0.15, 0.22],
  oxisol: [0.035, 0.06, 0.12, 0.19, 0.27],
  granite: [0.12, 0.15, 0.19, 0.235, 0.32],
  desert: [0.166, 0.238, 0.34, 0.39, 0.48],
  concrete: [0.15, 0.17, 0.19, 0.215, 0.245],
  clayTiles: [0.08, 0.105, 0.155, 0.205, 0.26],
  sheets: [0.2, 0.21, 0.22, 0.24, 0.25],
  streetDust: [0.12, 0.146, 0.175, 0.218, 0.272],
  asphalt: [0.085, 0.095, 0.105, 0.125, 0.14],
} as const satisfies Record<string, Five>;

export type GroundName = keyof typeof GROUND;

export const COVER = {
  crop: [0.027, 0.058, 0.03, 0.47, 0.2],
  tree: [0.02, 0.045, 0.026, 0.34, 0.145],
  grass: [0.032, 0.065, 0.048, 0.38, 0.22],
  straw: [0.085, 0.125, 0.175, 0.26, 0.34],
  water: [0.06, 0.08, 0.06, 0.035, 0.015],
  snow: [0.75, 0.74, 0.72, 0.66, 0.09],
  cloud: [0.55, 0.54, 0.54, 0.56, 0.4],
} as const satisfies Record<string, Five>;

/** Reflectance of a soaked soil divided by the reflectance of the dry soil. */
export const SOAKED: Five = [0.62, 0.6, 0.58, 0.6, 0.45];
