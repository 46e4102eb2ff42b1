import type { Dem } from '../dem/dem.ts';
import { slopeDegrees } from '../surface/slope.ts';
import { position } from '../surface/tpi.ts';
import { LANDFORM_THRESHOLDS, reliefLimit } from './thresholds.ts';
import { momentsOf, type ZoneIndex } from './zone-moments.ts';

/** Options of the landform classification. */
export interface LandformOptions {
  /** Zones whose position index is standardised separately; pixels outside become 0. Default: one zone. */
  readonly zones?: ZoneIndex;
  /**
   * Returns a zone's limit of level land, in standard deviations of the position index. The argument is the standard
   * deviation of the zone's heights, m.
   */
  readonly limit?: (deviationMetres: number) => number;
}

/**
 * Landforms 1 to 11 by near position, far position and slope. Uint8 `[rows * cols]`, 0 without data; needs a margin of
 * 2 km.
 */
export function landforms(dem: Dem, { zones, limit: limitOf = reliefLimit }: LandformOptions = {}): Uint8Array {
  const index = zones ?? { zones: new Uint8Array(dem.heights.length).fill(1), count: 1 };
  const { deviation } = momentsOf(dem.heights, index);
  const limits = deviation.map((metres) => limitOf(metres));
  const near = standardised(position(dem, LANDFORM_THRESHOLDS.near), index);
  const far = standardised(position(dem, LANDFORM_THRESHOLDS.far), index);
  const slope = slopeDegrees(dem);
  const classes = new Uint8Array(slope.length);
  for (let at = 0; at < slope.length; at += 1) {
    const zone = index.zones[at]!;
    if (zone === 0 || Number.isNaN(slope[at]!)) continue;
    const limit = limits[zone]!;
    classes[at] = landformOf(side(near[at]!, limit), side(far[at]!, limit), slope[at]!);
  }
  return classes;
}

/**
 * Replaces each value by its distance from the zone's mean, in standard deviations (in place). If all values of a zone
 * are equal, they become 0.
 */
function standardised(plane: Float32Array, index: ZoneIndex): Float32Array {
  const { mean, deviation } = momentsOf(plane, index);
  for (let at = 0; at < plane.length; at += 1) {
    const zone = index.zones[at]!;
    plane[at] = deviation[zone]! > 0 ? (plane[at]! - mean[zone]!) / deviation[zone]! : 0;
  }
  return plane;
}

/** Below (-1), level with (0) or above (1) the surroundings. */
type Side = -1 | 0 | 1;

const side = (value: number, limit: number): Side => (value <= -limit ? -1 : value >= limit ? 1 : 0);

/** Landform code of a pixel; the slope is in degrees. */
export function landformOf(near: Side, far: Side, slope: number): number {
  if (near < 0) return far < 0 ? 1 : far > 0 ? 3 : 2;
  if (near > 0) return far < 0 ? 9 : far > 0 ? 11 : 10;
  if (far < 0) return 4;
  if (far > 0) return slope < LANDFORM_THRESHOLDS.mesaBelowDegrees ? 7 : 8;
  if (slope < LANDFORM_THRESHOLDS.plainBelowDegrees) return 5;
  return slope < LANDFORM_THRESHOLDS.upperSlopeFromDegrees ? 6 : 8;
}
