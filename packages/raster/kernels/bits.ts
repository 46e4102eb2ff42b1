// Input of `inflate.ts`: address of the next byte, the bits that were read, and their number. Higher bits of `bits` are
// undefined. The number is in bits 0 to 5 of `left`, whose higher bits are undefined too.
export let from: usize = 0;
export let bits: u64 = 0;
export let left: i32 = 0;

// @ts-ignore: decorator
@inline
export function setInput(nextByte: usize, rest: u64, count: i32): void {
  from = nextByte;
  bits = rest;
  left = count;
}

/** Number of bytes that `refill` adds to `count` bits. */
// @ts-ignore: decorator
@inline
export function bytesFor(count: i32): usize {
  return <usize>((~count >> 3) & 7);
}

/** Adds whole bytes, so that at least 56 bits are available. */
// @ts-ignore: decorator
@inline
export function refill(): void {
  bits |= load<u64>(from) << <u64>left;
  from += bytesFor(left);
  left |= 56;
}

/** Removes bits: the lowest six bits of `count` are their number. */
// @ts-ignore: decorator
@inline
export function consume(count: u32): void {
  bits >>= <u64>count;
  left -= <i32>count;
}

// @ts-ignore: decorator
@inline
export function take(count: u32): i32 {
  const value = <i32>bits & ((1 << count) - 1);
  consume(count);
  return value;
}

/** Returns unused whole bytes to the input. */
export function rewind(): void {
  left &= 63;
  from -= <usize>(left >> 3);
  left &= 7;
  bits &= (<u64>1 << <u64>left) - 1;
}
