import { adler32 } from './adler';
import { bits, consume, from, left, refill, rewind, setInput, take } from './bits';
import { buildTable, ORDER, PRECODE } from './huffman';
import { inflateBlock, isClosed, setCodes } from './inflate-block';

/** Number of bits of a lookup in the table of the codes for the lengths of codes. */
const PRECODE_BITS: i32 = 7;
const PRECODE_TABLE: usize = memory.data(512, 16);

/** State of a stream between two calls: five uint32 at the addresses below, and the lengths of the codes of a block. */
const STATE: usize = memory.data(352, 16);
/** The next part of the stream, one of the phases below. */
const PHASE = STATE;
/** Unused bits of the last byte that was read. */
const BITS = STATE + 4;
/** Number of unused bits. */
const LEFT = STATE + 8;
/** Checksum of the output so far. */
const SUM = STATE + 12;
/** Bits 0 to 15: remaining bytes of a stored block, or numbers of symbols and distances. Bit 31: last block. */
const BLOCK = STATE + 16;
/** uint8: lengths of codes, of all symbols and then of all distances. */
const LENGTHS: usize = STATE + 32;

const HEADER: i32 = 0;
const BLOCK_HEADER: i32 = 1;
const CODES: i32 = 2;
const STORED: i32 = 3;
const CHECKSUM: i32 = 4;
const END: i32 = 5;
const LAST: u32 = 0x80000000;

/** Bytes that the header of a block may need. */
const MOST_HEADER: usize = 400;
/** Bytes that the bits of one iteration of `decodeAny` may need, and the rest of a load of 8 bytes. */
const MARGIN: usize = 40;

export function stateAt(): usize {
  return STATE;
}

/** Begins a stream: `inflateMore` reads its header next. */
export function startInflate(): void {
  memory.fill(STATE, 0, 32);
  store<u32>(SUM, 1);
}

/**
 * Decompresses a zlib stream (RFC 1950) of `length` bytes to at most `capacity` bytes. Returns the number of
 * decompressed bytes, or -1 if the stream is damaged, too long, or needs a dictionary. Reads up to 64 bytes beyond the
 * stream, and writes up to 320 bytes beyond `capacity`.
 */
export function inflate(src: usize, length: i32, dst: usize, capacity: i32): i32 {
  startInflate();
  const count = inflateMore(src, length, 1, dst, 0, capacity + 1);
  return count > capacity || load<i32>(PHASE) != END ? -1 : count;
}

/** Number of input bytes that the last call of `inflateMore` used. */
export function usedBytes(): i32 {
  return used;
}
let used: i32 = 0;

/**
 * Continues a stream with its next `length` bytes, until `dst` has `capacity` bytes or more, the stream ends, or the
 * input is used. Returns the number of bytes at `dst`, or -1 for a stream that it cannot decompress.
 * - `isEnd`: 1 if the stream has no more bytes
 * - `done`: number of bytes at `dst` before the call; the last 32,768 of them must be the last output of the stream
 *
 * Reads up to 64 bytes beyond the input, and writes up to 320 bytes beyond `capacity`.
 */
export function inflateMore(src: usize, length: i32, isEnd: i32, dst: usize, done: i32, capacity: i32): i32 {
  setInput(src, load<u32>(BITS), load<i32>(LEFT));
  const end = src + <usize>length;
  const limit = dst + <usize>capacity;
  let out = dst + <usize>done;
  let phase = load<i32>(PHASE);
  hasFixed = false;
  if (phase == CODES && !buildTables()) return -1;
  while (phase != END) {
    // If the stream continues after this input, a step begins only if the input has all bytes that the step may need.
    const needed: usize = phase == CODES ? MARGIN : phase == STORED ? 1 : MOST_HEADER;
    if (!isEnd && from + needed > end) break;
    if (phase == HEADER) {
      if (length < 8 || !isZlib(load<u8>(from), load<u8>(from + 1))) return -1;
      setInput(from + 2, 0, 0);
      phase = BLOCK_HEADER;
    } else if (phase == BLOCK_HEADER) {
      if (from > end + 8) return -1;
      phase = readHeader(end);
      if (phase < 0) return -1;
    } else if (phase == CHECKSUM) {
      rewind();
      if (from + 4 > end || bswap(load<u32>(from)) != load<u32>(SUM)) return -1;
      setInput(from + 4, 0, 0);
      phase = END;
    } else {
      if (out >= limit) break;
      const start = out;
      if (phase == STORED) {
        const block = load<u32>(BLOCK);
        const count = min(<usize>(block & 0xffff), min(end - from, limit - out));
        memory.copy(out, from, count);
        setInput(from + count, 0, 0);
        out += count;
        store<u32>(BLOCK, block - <u32>count);
        // Damaged streams may end within a block.
        if (count == 0 && (block & 0xffff) != 0) return -1;
        if (<u32>count == (block & 0xffff)) phase = block & LAST ? CHECKSUM : BLOCK_HEADER;
      } else {
        out = inflateBlock(dst, out, limit, isEnd ? end + 8 : end - MARGIN);
        if (out == 0) return -1;
        if (isClosed) phase = load<u32>(BLOCK) & LAST ? CHECKSUM : BLOCK_HEADER;
        else if (isEnd && out < limit) return -1;
      }
      // The checksum is continued here, because the new bytes are still in the processor's cache.
      store<u32>(SUM, adler32(load<u32>(SUM), start, out - start));
    }
  }
  rewind();
  // True if the last bits were read beyond the end of the input.
  if (from > end) return -1;
  store<u32>(BITS, <u32>bits);
  store<i32>(LEFT, left);
  store<i32>(PHASE, phase);
  used = <i32>(from - src);
  return <i32>(out - dst);
}

function isZlib(method: i32, flags: i32): bool {
  return (method & 15) == 8 && method >> 4 <= 7 && ((method << 8) | flags) % 31 == 0 && (flags & 32) == 0;
}

/** True if the tables are those of the fixed codes. A stream may have many short blocks with these codes. */
let hasFixed: bool = false;

/** Reads the header of a block; returns the phase of its contents, or -1 if it is invalid. */
function readHeader(end: usize): i32 {
  refill();
  const last = take(1) ? LAST : 0;
  const kind = take(2);
  if (kind == 3) return -1;
  if (kind != 0) {
    const isFixed = kind == 1;
    const counts = isFixed ? fixedLengths() : readLengths(end);
    store<u32>(BLOCK, last | counts);
    if (isFixed && hasFixed) return CODES;
    hasFixed = isFixed;
    return counts != 0 && buildTables() ? CODES : -1;
  }
  rewind();
  if (from + 4 > end || (load<u16>(from) ^ load<u16>(from, 2)) != 0xffff) return -1;
  const count = <u32>load<u16>(from);
  setInput(from + 4, 0, 0);
  store<u32>(BLOCK, last | count);
  return count != 0 ? STORED : last ? CHECKSUM : BLOCK_HEADER;
}

function buildTables(): bool {
  const counts = load<u32>(BLOCK);
  return setCodes(LENGTHS, <i32>(counts & 0x1ff), <i32>((counts >> 9) & 63));
}

/** Numbers of symbols and distances in one value, for `buildTables`. */
function countsOf(symbols: i32, distances: i32): u32 {
  return <u32>(symbols | (distances << 9));
}

function fixedLengths(): u32 {
  memory.fill(LENGTHS, 8, 144);
  memory.fill(LENGTHS + 144, 9, 112);
  memory.fill(LENGTHS + 256, 7, 24);
  memory.fill(LENGTHS + 280, 8, 8);
  memory.fill(LENGTHS + 288, 5, 32);
  return countsOf(288, 32);
}

/** Reads the lengths of a block's codes; returns their numbers, or 0 if they are invalid. */
function readLengths(end: usize): u32 {
  const symbols = 257 + take(5);
  const distances = 1 + take(5);
  const lengths = 4 + take(4);
  if (symbols > 286 || distances > 30) return 0;
  memory.fill(LENGTHS, 0, 19);
  for (let i = 0; i < lengths; i++) {
    refill();
    store<u8>(LENGTHS + <usize>load<u8>(ORDER + <usize>i), <u8>take(3));
  }
  if (!buildTable(LENGTHS, 19, PRECODE_TABLE, PRECODE_BITS, PRECODE)) return 0;
  const count = symbols + distances;
  for (let i = 0; i < count; ) {
    if (from > end + 8) return 0;
    refill();
    const entry = load<u32>(PRECODE_TABLE + ((<usize>bits & 127) << 2));
    consume(entry);
    const symbol: i32 = entry >> 16;
    if (symbol < 16) {
      store<u8>(LENGTHS + <usize>i, <u8>symbol);
      i++;
      continue;
    }
    if (symbol == 16 && i == 0) return 0;
    const value = symbol == 16 ? load<u8>(LENGTHS + <usize>i - 1) : <u8>0;
    const times = symbol == 16 ? 3 + take(2) : symbol == 17 ? 3 + take(3) : 11 + take(7);
    if (i + times > count) return 0;
    memory.fill(LENGTHS + <usize>i, value, times);
    i += times;
  }
  return load<u8>(LENGTHS + 256) != 0 ? countsOf(symbols, distances) : 0;
}
