/** Number of pixels in a tile. The rows of a tile (one per step) fit in the first-level cache. */
export const TILE: i32 = 64;
/** Maximum number of steps in a series: a year with margins. The steps are bits of an int32. */
export const MOST: i32 = 31;
/**
 * Number of pixels per iteration of `clean`. The last iteration may process pixels beyond the tile, so each row has
 * space for `LANES` more pixels.
 */
export const LANES: i32 = 8;
/** Bytes of a row of float64. The last eight values belong to pixels beyond the tile and are no results. */
export const ROW: usize = 8 * (64 + 8);
/** Bytes of a row of int32. */
export const ROW32: usize = 4 * (64 + 8);

/** int32 `[pixel]`: bit s is set if step s is clear. */
export const SEEN: usize = memory.data(288, 16);
/** int32 `[pixel]`: bit s is set if the smoothed series rises (or falls) from step s to step s + 1. */
export const RISES: usize = memory.data(288, 16);
export const FALLS: usize = memory.data(288, 16);
/** float64 `[step][pixel]`: columns to solve, then their solutions. */
export const COLUMNS: usize = memory.data(17856, 16);
/** float64 `[pixel][steps]`: smoothed series. */
export const SMOOTH: usize = memory.data(17856, 16);
/** int32 `[max, mean, step of max, plateau, min, floor][pixel]`. `PixelYear` in `src/series` explains these values. */
export const SUMMARY: usize = memory.data(1728, 16);
