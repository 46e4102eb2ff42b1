/**
 * Number of pixels in a tile; a tile is read as a whole. The size is limited so that the rows of a tile (one row
 * for each step) fit in the first-level cache.
 */
export const TILE: i32 = 64;
/** Maximum number of steps in a series: a year with its margins. The steps must fit in a bit set of 32 bits. */
export const MOST: i32 = 31;
/** Pixels per iteration of the loops. The last iteration may process up to this number of pixels beyond the tile. */
export const LANES: i32 = 8;
/** Bytes of a row of float64. The last eight values are written by the last iteration and never read. */
export const ROW: usize = 8 * (64 + 8);
/** Bytes of a row of int32. */
export const ROW32: usize = 4 * (64 + 8);

/** int32 `[pixel]`: bit s is set if step s is free of cloud, shadow, snow and floods. */
export const SEEN: usize = memory.data(288, 16);
/** float64 `[step][pixel]`: the columns to solve; the solutions replace them. */
export const COLUMNS: usize = memory.data(17856, 16);
/** float64 `[pixel][steps]`: smoothed series. */
export const SMOOTH: usize = memory.data(17856, 16);
/** int32 `[max, mean, step of max, plateau, min, floor][pixel]`. */
export const SUMMARY: usize = memory.data(1728, 16);
