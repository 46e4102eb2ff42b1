import type { PixelGrid } from '../ports/pixel-plan.ts';

/** WGS 84: semi-major axis (m) and flattening. */
const A = 6_378_137;
const F = 1 / 298.257223563;
const E2 = F * (2 - F);
const E = Math.sqrt(E2);
const RADIANS = Math.PI / 180;

/**
 * Returns the ellipsoidal area (m2) of one pixel of each row of a lon/lat grid, `[rows]`. A = b^2/2 dlon (q(top) -
 * q(bottom)), q(lat) = s/(1 - e^2 s^2) + atanh(e s)/e, s = sin(lat) (Snyder 1987, 3-12).
 */
export function pixelAreasM2(grid: Pick<PixelGrid, 'north' | 'pixelHeight' | 'pixelWidth' | 'rows'>): Float64Array {
  const { north, pixelHeight, pixelWidth, rows } = grid;
  const factor = ((A * A * (1 - E2)) / 2) * pixelWidth * RADIANS;
  const halfStep = Math.sin((pixelHeight * RADIANS) / 2);
  return Float64Array.from({ length: rows }, (_, row) => {
    const top = Math.sin((north - row * pixelHeight) * RADIANS);
    const bottom = Math.sin((north - (row + 1) * pixelHeight) * RADIANS);
    const step = 2 * Math.cos((north - (row + 0.5) * pixelHeight) * RADIANS) * halfStep;
    return factor * qDifference(top, bottom, step);
  });
}

/**
 * Computes q(top) - q(bottom) by one formula, from the sines of the latitudes and their difference `step`. The
 * difference of two computed q would lose 6 digits for pixels of 10 m.
 */
function qDifference(top: number, bottom: number, step: number): number {
  const product = E2 * top * bottom;
  const rational = (step * (1 + product)) / ((1 - E2 * top * top) * (1 - E2 * bottom * bottom));
  return rational + Math.atanh((E * step) / (1 - product)) / E;
}
