/** Bits per axis: cells of 360 / 2^16 degrees, about 600 m. */
const BITS = 16;

/**
 * Returns the position of a point (lon/lat, degrees) on a Hilbert curve, 0 to 2^32 - 1 (D. Hilbert 1891; H. S. Warren,
 * Hacker's Delight, 16-1).
 */
export function hilbertPosition([lon, lat]: readonly [number, number]): number {
  const cells = 2 ** BITS;
  const cellOf = (share: number): number => Math.min(cells - 1, Math.max(0, Math.floor(share * cells)));
  let [x, y] = [cellOf((lon + 180) / 360), cellOf((lat + 180) / 360)];
  let position = 0;
  for (let side = cells / 2; side >= 1; side /= 2) {
    const isRight = (x & side) > 0;
    const isUpper = (y & side) > 0;
    position = position * 4 + (isRight ? (isUpper ? 2 : 3) : Number(isUpper));
    if (isUpper) continue;
    // The curve is rotated in the lower quadrants.
    if (isRight) [x, y] = [cells - 1 - x, cells - 1 - y];
    [x, y] = [y, x];
  }
  return position;
}
