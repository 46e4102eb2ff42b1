// Decodes literals and short matches by the same instructions, without a branch that depends on the kind of a symbol: in
// tiles of satellite images, about half of the symbols are matches of three or four bytes, and a wrongly predicted branch
// takes longer than a symbol.

import { bits, bytesFor, from, left, rewind, setInput } from './bits';
import { LITERAL, LONG } from './huffman';

/** Number of bits of the first lookup in the tables of symbols and of distances. */
export const SYMBOL_BITS: i32 = 11;
export const DISTANCE_BITS: i32 = 8;

/**
 * uint32 by the next 11 bits: a literal, or a match of at most 8 bytes with the code of its distance.
 * - bits 0 to 5: number of bits to consume, including the extra bits of the distance
 * - bit 7: `LONG`, if `decodeAny` must decode the symbol
 * - bits 8 to 15: a literal, or two more than the number of bits of both codes
 * - bits 19 to 23: index in `DISTANCES`
 * - bits 24 to 27: number of bytes to write
 */
const TABLE: usize = memory.data(8192, 64);

/** Index of literals in `DISTANCES`. Their distance is not used, but its bytes should be in the processor's cache. */
const LITERALS: u32 = 31;

/** Pairs of uint32 for each code of a distance: least distance, and mask of the extra bits (RFC 1951, section 3.2.5). */
const DISTANCES: usize = memory.data<u32>([
  1, 0, 2, 0, 3, 0, 4, 0, 5, 1, 7, 1, 9, 3, 13, 3, 17, 7, 25, 7, 33, 15, 49, 15, 65, 31, 97, 31, 129, 63, 193, 63, 257,
  127, 385, 127, 513, 255, 769, 255, 1025, 511, 1537, 511, 2049, 1023, 3073, 1023, 4097, 2047, 6145, 2047, 8193, 4095,
  12289, 4095, 16385, 8191, 24577, 8191, 256, 0, 256, 0,
], 16);

/** Bits that must be available for a lookup: those of the table, and two that were consumed before. */
const LEAST_BITS: i32 = SYMBOL_BITS + 2;

/**
 * Expected share of the symbols from `first` to `end` (exclusive), if a code of n bits occurs once in 2^n symbols. 32,768
 * are all symbols.
 */
function shareOf(lengths: usize, first: i32, end: i32): i32 {
  let sum = 0;
  for (let i = first; i < end; i++) {
    const length = load<u8>(lengths + <usize>i);
    if (length != 0) sum += 32768 >> length;
  }
  return sum;
}

/**
 * True if `decodeShort` is faster for a block than `decodeAny`: if at most 0.82 of its symbols are literals, and at most
 * 0.05 are matches that are longer than 8 bytes or have a distance of at most 8. The shares are estimated from the codes.
 */
export function areShort(lengths: usize, symbols: i32, distances: i32): bool {
  const matches = shareOf(lengths, 257, min(263, symbols));
  const near = shareOf(lengths + <usize>symbols, 0, min(6, distances));
  return shareOf(lengths, 0, 256) <= 26870 && shareOf(lengths, 263, symbols) + ((matches * near) >> 15) <= 1638;
}

/** Builds the table of short codes from the tables of a block. */
export function buildShortTable(symbolTable: usize, distanceTable: usize): void {
  for (let i: u32 = 0; i < 1 << SYMBOL_BITS; i++) {
    const symbol = load<u32>(symbolTable + <usize>(i << 2));
    const next = (i >> (symbol & 31)) & ((1 << DISTANCE_BITS) - 1);
    const distance = load<u32>(distanceTable + <usize>(next << 2));
    const codes = (symbol & 63) + ((distance >> 8) & 63);
    const extra = (distance & 63) - ((distance >> 8) & 63);
    const index = 2 * extra + (((distance >> 16) - 1) >> extra);
    const match = (codes + extra) | ((codes + 2) << 8) | (index << 19) | ((symbol >> 16) << 24);
    const isLong = ((symbol | distance) & LONG) != 0 || codes > <u32>SYMBOL_BITS;
    const literal = (symbol & 63) | ((symbol >> 8) & 0xff00) | (LITERALS << 19) | (1 << 24);
    store<u32>(
      TABLE + <usize>(i << 2),
      select<u32>(literal, select<u32>(LONG, match, isLong), (symbol & LITERAL) != 0),
    );
  }
}

// @ts-ignore: decorator
@inline
function entryAt(b: u64): u32 {
  return load<u32>(<usize>(<u32>b & (((1 << SYMBOL_BITS) - 1) << 2)), TABLE);
}

/** Writes the literal or the match of an entry, and up to 7 more bytes. */
// @ts-ignore: decorator
@inline
function write(out: usize, entry: u32, b: u64): void {
  const pair = <usize>((entry >> 16) & 0xf8);
  const distance = load<u32>(pair, DISTANCES) + (<u32>(b >> <u64>(entry >> 8)) & load<u32>(pair, DISTANCES + 4));
  const match = load<u64>(out - <usize>distance);
  store<u64>(out, select<u64>(<u64>(entry >> 8), match, pair == LITERALS << 3));
}

/**
 * Decompresses literals and short matches with the table, until the next symbol has a long code, or a round might write
 * beyond `limit` or read beyond `until`. Returns the end of the output. At least 32,768 bytes of output must precede.
 *
 * The two lowest bits of `b` were consumed before, so that an index in the table need not be multiplied by 4. After a
 * refill, the bits suffice for two symbols of up to 24 bits. The next entry is looked up before the refill, which then
 * takes place while the entry is loaded.
 */
export function decodeShort(start: usize, limit: usize, until: usize): usize {
  rewind();
  let out = start;
  let input = from;
  let b = bits << 2;
  let count = left + 2;
  b |= load<u64>(input) << <u64>count;
  input += bytesFor(count);
  count |= 56;
  for (let rounds = min(<i32>(until - input) >> 3, <i32>(limit - out) >> 4); rounds > 0; rounds--) {
    let entry = entryAt(b);
    b |= load<u64>(input) << <u64>count;
    input += bytesFor(count);
    count |= 56;
    if (entry & LONG) break;
    write(out, entry, b);
    out += <usize>(entry >> 24);
    b >>= <u64>entry;
    count -= <i32>entry;
    entry = entryAt(b);
    if (entry & LONG) break;
    write(out, entry, b);
    out += <usize>(entry >> 24);
    b >>= <u64>entry;
    count -= <i32>entry;
    if ((count & 63) < LEAST_BITS) {
      b |= load<u64>(input) << <u64>count;
      input += bytesFor(count);
      count |= 56;
    }
  }
  setInput(input, b >> 2, (count & 63) - 2);
  return out;
}
