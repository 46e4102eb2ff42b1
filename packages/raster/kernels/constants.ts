// Addresses of constant vectors for loops. The vectors are loaded from memory once, because V8 builds a literal vector
// again in each iteration (measured: NDVI takes 1.6 times as long with literals).

/** int16: -32768, the value of pixels without data. */
export const LEAST: usize = memory.data<i16>([-32768, -32768, -32768, -32768, -32768, -32768, -32768, -32768], 16);

/** int16: 32767. */
export const GREATEST: usize = memory.data<i16>([32767, 32767, 32767, 32767, 32767, 32767, 32767, 32767], 16);

/** float32: 10000, the scale of indices. */
export const SCALE: usize = memory.data<f32>([10000, 10000, 10000, 10000], 16);

/**
 * float32: 1.5 x 2^23. Adding it to a small float32 rounds half to even. Then the bits of the sum minus the bits of
 * this number are the integer.
 */
export const ROUNDER: usize = memory.data<f32>([12582912, 12582912, 12582912, 12582912], 16);

/** int16: 0x4b00. With it as the upper half, a uint16 `n` becomes the float32 2^23 + n. */
export const UPPER: usize = memory.data<u16>([0x4b00, 0x4b00, 0x4b00, 0x4b00, 0x4b00, 0x4b00, 0x4b00, 0x4b00], 16);

/** float32: 2^24. */
export const TWO_TO_24: usize = memory.data<f32>([16777216, 16777216, 16777216, 16777216], 16);

/** float32: infinity. */
export const INFINITE: usize = memory.data<u32>([0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000], 16);

/** float64: 0 and 1. */
export const RAMP: usize = memory.data<f64>([0, 1], 16);
