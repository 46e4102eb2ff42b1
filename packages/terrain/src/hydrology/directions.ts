/**
 * D8 codes of flow directions as in ESRI and pysheds, clockwise from north. 0: the water leaves the data; 255: no data.
 */
export const DIRECTION_CODES: readonly number[] = [64, 128, 1, 2, 4, 8, 16, 32];
export const OUTLET = 0;
export const NO_DATA = 255;

/** Steps to the eight neighbours, clockwise from north: columns to the right, and rows down. */
export const STEPS_RIGHT: readonly number[] = [0, 1, 1, 1, 0, -1, -1, -1];
export const STEPS_DOWN: readonly number[] = [-1, -1, 0, 1, 1, 1, 0, -1];

/**
 * Difference of index to the next cell downstream, by D8 code (256 entries), in a row-major plane of `cols`
 * columns. 0 for outlets and no data.
 */
export function stepsByCode(cols: number): Int32Array {
  const steps = new Int32Array(256);
  DIRECTION_CODES.forEach((code, k) => {
    steps[code] = STEPS_DOWN[k]! * cols + STEPS_RIGHT[k]!;
  });
  return steps;
}

/** Code of the opposite direction. */
export const opposite = (code: number): number => (code < 16 ? code << 4 : code >> 4);
