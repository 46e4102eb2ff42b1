import type { Kind } from './land.ts';

/** Reflectance (0-1) in blue, green, red, near infrared and short-wave infrared (1.6 um). */
export type Five = readonly [number, number, number, number, number];

/** Names of the bands of `Five`, in order. */
export const SECOND_BANDS = ['blue', 'green', 'red', 'nir', 'swir16'] as const;

/** Spectra of dry top soils. Their shapes are rounded from public soil libraries. */
export const SOILS: readonly Five[] = [
  [0.042, 0.06, 0.078, 0.112, 0.172],
  [0.052, 0.082, 0.148, 0.222, 0.312],
  [0.09, 0.124, 0.162, 0.216, 0.304],
  [0.118, 0.166, 0.228, 0.306, 0.418],
];

/** Spectra of rock, gravel, quarry dust and dry river sand. */
export const BARE: readonly Five[] = [
  [0.075, 0.1, 0.135, 0.168, 0.235],
  [0.15, 0.2, 0.26, 0.315, 0.4],
  [0.062, 0.084, 0.12, 0.17, 0.26],
];

/** Spectra of concrete, clay tiles, asbestos sheet, asphalt. */
export const ROOFS: readonly Five[] = [
  [0.168, 0.192, 0.212, 0.24, 0.272],
  [0.088, 0.112, 0.162, 0.206, 0.262],
  [0.19, 0.205, 0.215, 0.232, 0.246],
  [0.082, 0.092, 0.102, 0.12, 0.142],
];

/** Spectra of clear, algal and silty open water. */
export const WATERS: readonly Five[] = [
  [0.042, 0.05, 0.034, 0.02, 0.008],
  [0.034, 0.064, 0.04, 0.038, 0.012],
  [0.088, 0.122, 0.138, 0.086, 0.026],
];

/** Spectrum of stalks, litter and bark. */
const DRY: Five = [0.088, 0.126, 0.182, 0.27, 0.35];

/** Reflectance of a deep canopy. `extinction`: rate at which each band approaches this value with growing leaf area. */
interface Leaf {
  readonly deep: Five;
  readonly extinction: Five;
}

const CROP: Leaf = { deep: [0.024, 0.052, 0.024, 0.5, 0.19], extinction: [0.95, 0.76, 0.92, 0.44, 0.64] };
const TREE: Leaf = { deep: [0.018, 0.04, 0.02, 0.37, 0.14], extinction: [0.8, 0.64, 0.78, 0.37, 0.54] };
const BUSH: Leaf = { deep: [0.03, 0.058, 0.046, 0.34, 0.2], extinction: [0.72, 0.58, 0.7, 0.35, 0.5] };

const LEAVES: Partial<Readonly<Record<Kind, Leaf>>> = {
  evergreen: TREE,
  moistForest: TREE,
  dryForest: TREE,
  scrub: BUSH,
  built: TREE,
  bare: BUSH,
};

/** Reflectance of a saturated soil divided by the reflectance of the dry soil. */
const SOAKED: Five = [0.56, 0.54, 0.52, 0.5, 0.36];

/** Darkens soil exponentially with its wetness, 0-1 (Lobell and Asner 2002, doi:10.2136/sssaj2002.7220). */
export function moisten(soil: Five, wetness: number): Five {
  return each((b) => soil[b]! * (SOAKED[b]! + (1 - SOAKED[b]!) * Math.exp(-2.2 * wetness)));
}

/**
 * Reflectance of leaves over ground (Baret and Guyot 1991, doi:10.1016/0034-4257(91)90009-U). Each band approaches its
 * deep-canopy value at its own rate.
 */
export function canopy(kind: Kind, ground: Five, leafArea: number): Five {
  const { deep, extinction } = LEAVES[kind] ?? CROP;
  return each((b) => deep[b]! + (ground[b]! - deep[b]!) * Math.exp(-extinction[b]! * leafArea));
}

/**
 * Bilinear mixture of two adjacent covers (Fan et al. 2009, doi:10.1080/01431160802558659). `share` is the share
 * of the second cover, 0-1.
 */
export function bilinear(one: Five, other: Five, share: number): Five {
  return each((b) => (1 - share) * one[b]! + share * other[b]! + share * (1 - share) * one[b]! * other[b]!);
}

/** Reflectance of ground of which a `share` (0-1) is covered by dry matter. */
export const litter = (ground: Five, share: number): Five => bilinear(ground, DRY, share);

function each(value: (band: number) => number): Five {
  return [value(0), value(1), value(2), value(3), value(4)];
}
