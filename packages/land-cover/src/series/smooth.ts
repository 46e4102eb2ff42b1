/** A product is cheaper than a quotient, and exact enough: below 1e-12 of the value. */
const NORM = 1 / 35;

/**
 * Savitzky-Golay filter, window 5, polynomial 2, of one int16 column `[at .. at + steps)` into `out[0 .. steps)`.
 * The two values at each end come from the parabola fitted to the first or last five (as `scipy.signal.savgol_filter`, mode 'interp').
 * `steps` >= 5. Savitzky and Golay 1964, Analytical Chemistry 36:1627.
 */
export function smooth5(column: Int16Array, at: number, out: Float64Array): void {
  const steps = out.length;
  let a = column[at] ?? 0;
  let b = column[at + 1] ?? 0;
  let c = column[at + 2] ?? 0;
  let d = column[at + 3] ?? 0;
  let e = column[at + 4] ?? 0;
  out[0] = (31 * a + 9 * b - 3 * c - 5 * d + 3 * e) * NORM;
  out[1] = (9 * a + 13 * b + 12 * c + 6 * d - 5 * e) * NORM;
  for (let k = 2; ; k++) {
    out[k] = (17 * c + 12 * (b + d) - 3 * (a + e)) * NORM;
    if (k + 3 >= steps) break;
    a = b;
    b = c;
    c = d;
    d = e;
    e = column[at + k + 3] ?? 0;
  }
  out[steps - 2] = (-5 * a + 6 * b + 12 * c + 13 * d + 9 * e) * NORM;
  out[steps - 1] = (3 * a - 5 * b - 3 * c + 9 * d + 31 * e) * NORM;
}
