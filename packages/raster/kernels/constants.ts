/**
 * Constant vectors for loops. They are loaded from memory once, because V8 builds a literal vector again in each
 * iteration (measured: `ratio2Plain` takes 1.6 times as long with literals).
 */
const VECTORS: usize = memory.data<u32>(
  [
    0x80008000, 0x80008000, 0x80008000, 0x80008000, 0x7fff7fff, 0x7fff7fff, 0x7fff7fff, 0x7fff7fff, 0x461c4000,
    0x461c4000, 0x461c4000, 0x461c4000, 0x4b400000, 0x4b400000, 0x4b400000, 0x4b400000, 0x7f800000, 0x7f800000, 0x7f800000, 0x7f800000, 0,
    0, 0, 0x3ff00000, 0x4b004b00, 0x4b004b00, 0x4b004b00, 0x4b004b00, 0x4b800000, 0x4b800000, 0x4b800000, 0x4b800000,
  ],
  16,
);

/** int16: -32768, the value of pixels without data. */
// @ts-ignore: decorator
@inline
export function least16(): v128 {
  return v128.load(VECTORS);
}

/** int16: 32767. */
// @ts-ignore: decorator
@inline
export function greatest16(): v128 {
  return v128.load(VECTORS, 16);
}

/** float32: 10000, the scale of indices. */
// @ts-ignore: decorator
@inline
export function scale32(): v128 {
  return v128.load(VECTORS, 32);
}

/**
 * float32: 1.5 x 2^23. Adding it to a small float32 rounds half to even. Then the bits of the sum minus the bits of
 * this number are the integer.
 */
// @ts-ignore: decorator
@inline
export function rounder32(): v128 {
  return v128.load(VECTORS, 48);
}

/** float32: infinity. */
// @ts-ignore: decorator
@inline
export function infinity32(): v128 {
  return v128.load(VECTORS, 64);
}

/** float64: 0 and 1. */
// @ts-ignore: decorator
@inline
export function ramp64(): v128 {
  return v128.load(VECTORS, 80);
}

/** int16: 0x4b00. With it as the upper half, a uint16 `n` becomes the float32 2^23 + n. */
// @ts-ignore: decorator
@inline
export function upper16(): v128 {
  return v128.load(VECTORS, 96);
}

/** float32: 2^24. */
// @ts-ignore: decorator
@inline
export function double32(): v128 {
  return v128.load(VECTORS, 112);
}
