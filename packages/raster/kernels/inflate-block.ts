import { bits, consume, from, refill } from './bits';
import { buildTable, DISTANCES, LITERAL, POINTER, SPECIAL, SYMBOLS } from './huffman';
import { areShort, buildShortTable, decodeShort, DISTANCE_BITS, SYMBOL_BITS } from './short-codes';

// The largest tables that codes of up to 15 bits can need: 2342 and 402 entries of 4 bytes (program `enough` of zlib).
const SYMBOL_TABLE: usize = memory.data(9368, 16);
const DISTANCE_TABLE: usize = memory.data(1608, 16);

/** Largest distance of a match, bytes. */
const WINDOW: usize = 32768;
/** Number of bytes of a block before the table of short codes is built, because short blocks are faster without it. */
const LEAST: usize = 2048;

/** True if `decodeShort` is faster for the block than `decodeAny`. */
let isShort: bool = false;
/** True if the table of short codes is that of the block. */
let hasShortTable: bool = false;

/** Builds the tables of a block; returns false if the codes are invalid. `lengths`: as `LENGTHS` of `inflate.ts`. */
export function setCodes(lengths: usize, symbols: i32, distances: i32): bool {
  isShort = areShort(lengths, symbols, distances);
  hasShortTable = false;
  return (
    buildTable(lengths, symbols, SYMBOL_TABLE, SYMBOL_BITS, SYMBOLS) &&
    buildTable(lengths + <usize>symbols, distances, DISTANCE_TABLE, DISTANCE_BITS, DISTANCES)
  );
}

// @ts-ignore: decorator
@inline
function symbolAt(b: u64): u32 {
  return load<u32>(SYMBOL_TABLE + ((<usize>b & ((1 << SYMBOL_BITS) - 1)) << 2));
}

/** Value of an entry with its extra bits, which follow the code in `b`. */
// @ts-ignore: decorator
@inline
function valueOf(entry: u32, b: u64): usize {
  return <usize>((entry >> 16) + <u32>((b & ((<u64>1 << <u64>entry) - 1)) >> <u64>(entry >> 8)));
}

/** True if the last call of `inflateBlock` reached the end of the block. */
export let isClosed: bool = false;

/**
 * Decompresses the rest of a block, until the output reaches `limit` or the input reaches `until`. Returns the end of the
 * output, or 0 if the block is invalid. `first` is the address of the first byte to which matches may refer.
 */
export function inflateBlock(first: usize, start: usize, limit: usize, until: usize): usize {
  isClosed = false;
  if (!isShort) return decodeAny(first, start, limit, until);
  let out = decodeAny(first, start, min(limit, max(first + WINDOW, start + LEAST)), until);
  if (out == 0 || isClosed || out >= limit || from > until) return out;
  if (!hasShortTable) buildShortTable(SYMBOL_TABLE, DISTANCE_TABLE);
  hasShortTable = true;
  do {
    out = decodeShort(out, limit, until);
    // Decodes the symbol at which `decodeShort` stopped.
    out = decodeAny(first, out, min(limit, out + 1), until);
  } while (out != 0 && !isClosed && out < limit && from <= until);
  return out;
}

/**
 * Decompresses symbols of any kind. After a refill, the bits suffice for three literals, or for two literals and a
 * length; and the entry after them can be looked up.
 */
function decodeAny(first: usize, start: usize, limit: usize, until: usize): usize {
  let out = start;
  refill();
  let entry = symbolAt(bits);
  while (from <= until && out < limit) {
    if (entry & LITERAL) {
      consume(entry);
      let literal = entry >> 16;
      entry = symbolAt(bits);
      store<u8>(out++, literal);
      if (entry & LITERAL) {
        consume(entry);
        literal = entry >> 16;
        entry = symbolAt(bits);
        store<u8>(out++, literal);
        if (entry & LITERAL) {
          consume(entry);
          literal = entry >> 16;
          entry = symbolAt(bits);
          refill();
          store<u8>(out++, literal);
          continue;
        }
      }
    }
    let before = bits;
    consume(entry);
    if (entry & SPECIAL) {
      if (entry & POINTER) {
        const mask = (1 << ((entry >> 8) & 63)) - 1;
        entry = load<u32>(SYMBOL_TABLE + ((<usize>(entry >> 16) + (<usize>bits & mask)) << 2));
        before = bits;
        consume(entry);
        if (entry & LITERAL) {
          store<u8>(out++, entry >> 16);
          refill();
          entry = symbolAt(bits);
          continue;
        }
      }
      if (entry & SPECIAL) {
        if (entry >> 16) return 0;
        isClosed = true;
        break;
      }
    }
    const length = valueOf(entry, before);
    refill();
    entry = load<u32>(DISTANCE_TABLE + ((<usize>bits & ((1 << DISTANCE_BITS) - 1)) << 2));
    if (entry & SPECIAL) {
      if (!(entry & POINTER)) return 0;
      consume(DISTANCE_BITS);
      const mask = (1 << ((entry >> 8) & 63)) - 1;
      entry = load<u32>(DISTANCE_TABLE + ((<usize>(entry >> 16) + (<usize>bits & mask)) << 2));
      if (entry & SPECIAL) return 0;
    }
    const distance = valueOf(entry, bits);
    consume(entry);
    if (distance > out - first) return 0;
    entry = symbolAt(bits);
    refill();
    copyMatch(out, distance, length);
    out += length;
  }
  return out;
}

/** Repeats earlier output. Writes up to 15 bytes more than `length`. */
// @ts-ignore: decorator
@inline
function copyMatch(out: usize, distance: usize, length: usize): void {
  const end = out + length;
  let src = out - distance;
  if (distance >= 16) {
    do {
      v128.store(out, v128.load(src));
      src += 16;
      out += 16;
    } while (out < end);
  } else if (distance >= 8) {
    do {
      store<u64>(out, load<u64>(src));
      src += 8;
      out += 8;
    } while (out < end);
  } else if (distance == 1) {
    const value = i8x16.splat(load<u8>(src));
    do {
      v128.store(out, value);
      out += 16;
    } while (out < end);
  } else {
    do store<u8>(out++, load<u8>(src++));
    while (out < end);
  }
}
