/**
 * D8 codes of a cell's flow direction, as in ESRI and pysheds: powers of two, clockwise from east. 0 means out of the
 * DEM's data, 255 means no data. The list is in the order in which neighbours are compared: clockwise from north, as in
 * pysheds. If several neighbours have the same slope, the first of them is chosen.
 */
export const DIRECTION_CODES: readonly number[] = [64, 128, 1, 2, 4, 8, 16, 32];
export const OUTLET = 0;
export const NO_DATA = 255;

/** Steps to the eight neighbours, in columns to the right and rows down, clockwise from north. */
export const STEPS_RIGHT: readonly number[] = [0, 1, 1, 1, 0, -1, -1, -1];
export const STEPS_DOWN: readonly number[] = [-1, -1, 0, 1, 1, 1, 0, -1];

/**
 * For each code, the difference between the indexes of the next cell and of the cell, in a row-major plane that is
 * `cols` wide. `[256]`; 0 for outlets and no data.
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
