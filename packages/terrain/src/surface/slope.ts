import { cellSizes } from '../dem/cell-size.ts';
import type { Dem } from '../dem/dem.ts';
import { mapWindows, type Window } from './window.ts';

const DEGREES = 180 / Math.PI;

/** Rise per metre to the east (Horn 1981, Proc. IEEE 69:14). */
const eastward = (w: Window, x: number): number => (w[2]! + 2 * w[5]! + w[8]! - w[0]! - 2 * w[3]! - w[6]!) / (8 * x);

const southward = (w: Window, y: number): number => (w[6]! + 2 * w[7]! + w[8]! - w[0]! - 2 * w[1]! - w[2]!) / (8 * y);

/** Length of a vector. `Math.hypot` is five times slower. */
const lengthOf = (a: number, b: number): number => Math.sqrt(a * a + b * b);

/** Slope of each pixel in percent (100 = 45 degrees). Float32 `[rows * cols]`, NaN without data. */
export function slopePercent(dem: Dem): Float32Array {
  const { x, y } = cellSizes(dem.grid);
  return mapWindows(dem, (w, row) => 100 * lengthOf(eastward(w, x[row]!), southward(w, y[row]!)));
}

/** Slope of each pixel in degrees. Float32 `[rows * cols]`, NaN without data. */
export function slopeDegrees(dem: Dem): Float32Array {
  const slope = slopePercent(dem);
  for (let at = 0; at < slope.length; at += 1) slope[at] = Math.atan(slope[at]! / 100) * DEGREES;
  return slope;
}

/** Direction of the light of a shaded relief. */
export interface Light {
  /** Degrees clockwise from north. */
  readonly azimuth: number;
  /** Degrees above the horizon. */
  readonly altitude: number;
}

/** North-western light, the default of maps and gdaldem. */
export const NORTH_WEST_LIGHT: Light = { azimuth: 315, altitude: 45 };

/**
 * Shaded relief as in gdaldem, uint8 `[rows * cols]`: 1 + 254 max(0, cos a), where a is the angle to the light; 0
 * without data.
 */
export function hillshade(dem: Dem, light: Light = NORTH_WEST_LIGHT): Uint8Array {
  const { x, y } = cellSizes(dem.grid);
  const azimuth = light.azimuth / DEGREES;
  const altitude = light.altitude / DEGREES;
  const [toEast, toNorth] = [Math.sin(azimuth) * Math.cos(altitude), Math.cos(azimuth) * Math.cos(altitude)];
  const up = Math.sin(altitude);
  const lit = mapWindows(dem, (w, row) => {
    const east = eastward(w, x[row]!);
    const south = southward(w, y[row]!);
    const cosine = (up - east * toEast + south * toNorth) / Math.sqrt(1 + east * east + south * south);
    return 1 + 254 * Math.max(0, cosine);
  });
  const shades = new Uint8Array(lit.length);
  for (let at = 0; at < lit.length; at += 1) shades[at] = Number.isNaN(lit[at]!) ? 0 : Math.round(lit[at]!);
  return shades;
}
