/**
 * Fraction of each pixel inside one zone, as runs of equal fraction, row by row: run k of row r covers columns `from[k] .. to[k] - 1` with
 * `fraction[k]` (0-1], for k in `start[r - top] .. start[r - top + 1] - 1`.
 */
export interface ZoneCover {
  /** First row with a run. */
  readonly top: number;
  /** Rows from `top` on; 0 when the zone misses the raster. */
  readonly rows: number;
  readonly start: Int32Array;
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly fraction: Float64Array;
}
