import { adler32 } from './adler';
import { buildTable, DISTANCES, LITERAL, POINTER, PRECODE, SPECIAL, SYMBOLS } from './huffman';

/** Number of bits of the first lookup in each kind of table. */
const SYMBOL_BITS: i32 = 11;
const DISTANCE_BITS: i32 = 8;
const PRECODE_BITS: i32 = 7;
// The sizes are the largest of all codes with 15 bits (program `enough` of zlib): 2342 and 402 entries.
const SYMBOL_TABLE: usize = memory.data(9368, 16);
const DISTANCE_TABLE: usize = memory.data(1608, 16);
const PRECODE_TABLE: usize = memory.data(512, 16);
/** uint8: lengths of codes, of all symbols and then of all distances. */
const LENGTHS: usize = memory.data(320, 16);
const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

// State of the input. Bits above `left` are undefined; `left` may have undefined bits above bit 5.
let from: usize = 0;
let until: usize = 0;
let bits: u64 = 0;
let left: i32 = 0;

/** Adds whole bytes, so that at least 56 bits are available. */
// @ts-ignore: decorator
@inline
function refill(): void {
  bits |= load<u64>(from) << <u64>left;
  from += <usize>((~left >> 3) & 7);
  left |= 56;
}

// @ts-ignore: decorator
@inline
function consume(count: u32): void {
  bits >>= <u64>count;
  left -= <i32>count;
}

// @ts-ignore: decorator
@inline
function take(count: u32): i32 {
  const value = <i32>bits & ((1 << count) - 1);
  consume(count);
  return value;
}

/**
 * Decompresses a zlib stream (RFC 1950) of `length` bytes to at most `capacity` bytes. Returns the number of
 * decompressed bytes, or -1 if it cannot: then the stream is damaged, too long, or needs a dictionary. Reads up to 64
 * bytes beyond the stream, and writes up to 320 bytes beyond `capacity`.
 */
export function inflate(src: usize, length: i32, dst: usize, capacity: i32): i32 {
  if (length < 8 || !isZlib(load<u8>(src), load<u8>(src + 1))) return -1;
  const end = src + <usize>length - 4;
  from = src + 2;
  until = end + 8;
  bits = 0;
  left = 0;
  const limit = dst + <usize>capacity;
  let out = dst;
  let isLast = false;
  let sum: u32 = 1;
  while (!isLast) {
    if (from > until) return -1;
    refill();
    isLast = take(1) == 1;
    const kind = take(2);
    let next: usize = 0;
    if (kind == 0) next = copyStored(out, limit, end);
    else if (kind == 3 || !(kind == 1 ? buildFixed() : buildDynamic())) return -1;
    else next = inflateBlock(dst, out, limit);
    if (next == 0) return -1;
    // The bytes of a block are still in the cache.
    sum = adler32(sum, out, next - out);
    out = next;
  }
  const used = from - <usize>((left & 63) >> 3);
  if (used > end || bswap(load<u32>(used)) != sum) return -1;
  return <i32>(out - dst);
}

function isZlib(method: i32, flags: i32): bool {
  return (method & 15) == 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 == 0 && (flags & 32) == 0;
}

/** Copies a block that is not compressed. Returns the end of the output, or 0 if the block is invalid. */
function copyStored(out: usize, limit: usize, end: usize): usize {
  from -= <usize>((left & 63) >> 3);
  bits = 0;
  left = 0;
  if (from + 4 > end) return 0;
  const count = <usize>load<u16>(from);
  if ((load<u16>(from) ^ load<u16>(from, 2)) != 0xffff || from + 4 + count > end || out + count > limit) return 0;
  memory.copy(out, from + 4, count);
  from += 4 + count;
  return out + count;
}

function buildFixed(): bool {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  buildTable(LENGTHS, 288, SYMBOL_TABLE, SYMBOL_BITS, SYMBOLS);
  return buildTable(LENGTHS + 288, 32, DISTANCE_TABLE, DISTANCE_BITS, DISTANCES);
}

/** Reads the codes of a block. Returns false for invalid codes. */
function buildDynamic(): bool {
  const symbols = 257 + take(5);
  const distances = 1 + take(5);
  const lengths = 4 + take(4);
  if (symbols > 286 || distances > 30) return false;
  memory.fill(LENGTHS, 0, 19);
  for (let i = 0; i < lengths; i++) {
    refill();
    store<u8>(LENGTHS + <usize>load<u8>(ORDER + <usize>i), <u8>take(3));
  }
  if (!buildTable(LENGTHS, 19, PRECODE_TABLE, PRECODE_BITS, PRECODE)) return false;
  const count = symbols + distances;
  for (let i = 0; i < count; ) {
    if (from > until) return false;
    refill();
    const entry = load<u32>(PRECODE_TABLE + ((<usize>bits & 127) << 2));
    consume(entry);
    const symbol: i32 = entry >> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + <usize>i, <u8>symbol);
      i++;
      continue;
    }
    if (symbol == 16 && i == 0) return false;
    const value = symbol == 16 ? load<u8>(LENGTHS + <usize>i - 1) : <u8>0;
    const times = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
    if (i + times > count) return false;
    memory.fill(LENGTHS + <usize>i, value, times);
    i += times;
  }
  return (
    load<u8>(LENGTHS + 256) != 0 &&
    buildTable(LENGTHS, symbols, SYMBOL_TABLE, SYMBOL_BITS, SYMBOLS) &&
    buildTable(LENGTHS + <usize>symbols, distances, DISTANCE_TABLE, DISTANCE_BITS, DISTANCES)
  );
}

// @ts-ignore: decorator
@inline
function symbolAt(bits: u64): u32 {
  return load<u32>(SYMBOL_TABLE + ((<usize>bits & ((1 << SYMBOL_BITS) - 1)) << 2));
}

/** Value of an entry with its extra bits, which follow the code in `bits`. */
// @ts-ignore: decorator
@inline
function valueOf(entry: u32, bits: u64): u32 {
  return ((entry >> 16) + <u32>((bits & ((<u64>1 << <u64>entry) - 1)) >> <u64>(entry >> 8)));
}

/**
 * Decompresses a block with the tables. Returns the end of the output, or 0 if the block is invalid. After a refill,
 * the bits suffice for three literals, or for two literals and a length; and the entry after them can be looked up.
 */
function inflateBlock(dst: usize, start: usize, limit: usize): usize {
  let out = start;
  refill();
  let entry = symbolAt(bits);
  while (from <= until && out <= limit) {
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
      if (entry & SPECIAL) return entry >> 16 ? 0 : out > limit ? 0 : out;
    }
    const length = <usize>valueOf(entry, before);
    refill();
    entry = load<u32>(DISTANCE_TABLE + ((<usize>bits & ((1 << DISTANCE_BITS) - 1)) << 2));
    if (entry & SPECIAL) {
      if (!(entry & POINTER)) return 0;
      consume(DISTANCE_BITS);
      const mask = (1 << ((entry >> 8) & 63)) - 1;
      entry = load<u32>(DISTANCE_TABLE + ((<usize>(entry >> 16) + (<usize>bits & mask)) << 2));
      if (entry & SPECIAL) return 0;
    }
    before = bits;
    consume(entry);
    const distance = <usize>valueOf(entry, before);
    if (distance > out - dst) return 0;
    entry = symbolAt(bits);
    refill();
    copyMatch(out, distance, length);
    out += length;
  }
  return 0;
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
