// Run-length deflate (RFC 1951): literals, and matches with the byte before them. zlib calls this strategy `Z_RLE`.

import { adler32 } from './adler';
import { nextCode, startCodes, writeLengths } from './code-lengths';
import { at32, ORDER } from './huffman';

/** Number of symbols: 256 literals, the end of the block, and 29 lengths of matches. */
const SYMBOLS: i32 = 286;
const BLOCK_END: i32 = 256;
const FIRST_LENGTH: i32 = 257;
/** Longest match, bytes. */
const LONGEST: i32 = 258;
/** Tokens below are literals. The others are matches: `MATCH` plus their length. */
const MATCH: i32 = 256;
const TOKENS: i32 = MATCH + LONGEST + 1;

/** uint32 by token: how often it occurs. Entry `MATCH` counts tokens that are not matches. */
const COUNTS: usize = memory.data(2064, 16);
/** uint32 by token: bits 0 to 5 are the number of bits in the stream, bits 8 to 31 the bits. */
const CODES: usize = memory.data(2064, 16);
/** uint32 by symbol: how often it occurs. */
const FREQUENCIES: usize = memory.data(1144, 16);
/** uint8: lengths of the codes of all symbols, and then of two distances. */
const LENGTHS: usize = memory.data(288, 16);

/** Symbols of the lengths, as runs (RFC 1951, section 3.2.7): uint16, the symbol and its extra bits from bit 5 on. */
const RUNS: usize = memory.data(640, 16);
const RUN_SYMBOLS: i32 = 19;
const RUN_FREQUENCIES: usize = memory.data(76, 16);
const RUN_LENGTHS: usize = memory.data(19, 16);
const RUN_CODES: usize = memory.data(76, 16);

function count(list: usize, index: i32): void {
  store<u32>(at32(list, index), load<u32>(at32(list, index)) + 1);
}

/** Number of tokens after which a block ends, because codes should suit a part of the image. */
const BLOCK: i32 = 16384;

// Input: first byte whose run is not written yet, and first byte that was not compared with the byte before it.
let run: i32 = 0;
let at: i32 = 0;

/**
 * Compresses `length` bytes (at least 1) to a zlib stream (RFC 1950) at `dst`; returns its number of bytes, at most
 * `length` + `length` / 8 + 512. Up to 8 bytes after the stream are overwritten within this limit. `tokens`: memory of
 * 2 x `length` + 16 bytes. Reads up to 64 bytes beyond the input, and the byte before it.
 */
export function deflateRuns(src: usize, length: i32, tokens: usize, dst: usize): i32 {
  run = 0;
  at = 0;
  out = dst;
  bits = 0;
  left = 0;
  // Header of the zlib stream, with the default compression level.
  put(0x9c78, 16);
  let isLast = false;
  while (!isLast) {
    memory.fill(COUNTS, 0, 4 * TOKENS);
    let end = writeTokens(src, length, tokens);
    isLast = at >= length;
    if (isLast) end = writeRun(end, load<u8>(src + <usize>run), length - run);
    countSymbols();
    writeLengths(FREQUENCIES, SYMBOLS, LENGTHS, 15);
    // A block with codes of its own.
    put((isLast ? 1 : 0) | (2 << 1), 3);
    writeCodes();
    writeHeader();
    writeBody(tokens, end);
    putSymbol(BLOCK_END);
  }
  put(0, -left & 7);
  store<u32>(out, bswap(adler32(1, src, length)));
  return <i32>(out - dst) + 4;
}

/** Writes a token (uint16) for each literal and match of the next block, and counts them; returns the end of the tokens. */
function writeTokens(src: usize, length: i32, tokens: usize): usize {
  let to = tokens;
  const full = tokens + 2 * BLOCK;
  let start = run;
  for (; at < length && to < full; at += 64) {
    const p = src + <usize>at;
    // Bits of the bytes that differ from the byte before them: there, a run begins.
    let begins = ~(equal(p) | (equal(p + 16) << 16) | (equal(p + 32) << 32) | (equal(p + 48) << 48));
    if (at == 0) begins &= ~1;
    if (length - at < 64) begins &= (<u64>1 << <u64>(length - at)) - 1;
    while (begins != 0) {
      const next = at + <i32>ctz(begins);
      to = writeRun(to, load<u8>(src + <usize>start), next - start);
      start = next;
      begins &= begins - 1;
    }
  }
  run = start;
  return to;
}

// @ts-ignore: decorator
@inline
function equal(p: usize): u64 {
  return <u64>i8x16.bitmask(i8x16.eq(v128.load(p), v128.load(p - 1)));
}

/**
 * Writes a run as a literal and a match, or as up to three literals. Without branches for all but very long runs,
 * because the lengths of runs cannot be predicted.
 */
// @ts-ignore: decorator
@inline
function writeRun(to: usize, value: u32, length: i32): usize {
  const isMatch = length > 3;
  store<u64>(to, <u64>value * 0x0001000100010001);
  const match = isMatch ? MATCH + length - 1 : MATCH;
  if (length > LONGEST + 1) return writeLongRun(to, value, length);
  store<u16>(to, isMatch ? match : value, 2);
  const literals = isMatch ? 1 : length;
  store<u32>(at32(COUNTS, value), load<u32>(at32(COUNTS, value)) + literals);
  count(COUNTS, match);
  return to + (<usize>(isMatch ? 2 : length) << 1);
}

function writeLongRun(to: usize, value: u32, length: i32): usize {
  let rest = length - 1;
  store<u16>(to, value);
  count(COUNTS, value);
  to += 2;
  while (rest > 2) {
    const match = MATCH + min(rest, LONGEST);
    store<u16>(to, match);
    count(COUNTS, match);
    rest -= match - MATCH;
    to += 2;
  }
  for (; rest > 0; rest--) {
    store<u16>(to, value);
    count(COUNTS, value);
    to += 2;
  }
  return to;
}

/** Symbol of the length of a match (RFC 1951, section 3.2.5). */
function symbolOf(length: i32): i32 {
  if (length == LONGEST) return 285;
  const extra = extraBits(length);
  return length < 11 ? FIRST_LENGTH + length - 3 : FIRST_LENGTH + 4 * extra + ((length - 3) >> extra);
}

function extraBits(length: i32): i32 {
  return length < 11 || length == LONGEST ? 0 : 29 - clz(length - 3);
}

function countSymbols(): void {
  memory.copy(FREQUENCIES, COUNTS, 1024);
  memory.fill(FREQUENCIES + 1024, 0, 4 * (SYMBOLS - 256));
  store<u32>(at32(FREQUENCIES, BLOCK_END), 1);
  for (let length = 3; length <= LONGEST; length++) {
    const to = at32(FREQUENCIES, symbolOf(length));
    store<u32>(to, load<u32>(to) + load<u32>(at32(COUNTS, MATCH + length)));
  }
}

// Output: address of the next byte, the bits that are not written yet, and their number.
let out: usize = 0;
let bits: u64 = 0;
let left: i32 = 0;

/** Writes up to 32 bits. */
function put(value: u32, size: i32): void {
  bits |= <u64>value << <u64>left;
  left += size;
  store<u64>(out, bits);
  out += <usize>(left >> 3);
  bits >>= <u64>(left & 56);
  left &= 7;
}

function putSymbol(symbol: i32): void {
  const code = load<u32>(at32(CODES, symbol));
  put(code >> 8, code & 63);
}

/** Writes the lengths of the codes. Two distances have codes of one bit, because some readers refuse a single code. */
function writeHeader(): void {
  let symbols = SYMBOLS;
  while (load<u8>(LENGTHS + <usize>(symbols - 1)) == 0) symbols--;
  memory.fill(LENGTHS + <usize>symbols, 1, 2);
  const runs = writeRuns(symbols + 2);
  memory.fill(RUN_FREQUENCIES, 0, 4 * RUN_SYMBOLS);
  for (let i = 0; i < runs; i++) count(RUN_FREQUENCIES, load<u16>(RUNS + (<usize>i << 1)) & 31);
  writeLengths(RUN_FREQUENCIES, RUN_SYMBOLS, RUN_LENGTHS, 7);
  startCodes(RUN_LENGTHS, RUN_SYMBOLS);
  for (let symbol = 0; symbol < RUN_SYMBOLS; symbol++) {
    const length: i32 = load<u8>(RUN_LENGTHS + <usize>symbol);
    if (length != 0) store<u32>(at32(RUN_CODES, symbol), nextCode(length));
  }
  let sent = RUN_SYMBOLS;
  while (load<u8>(RUN_LENGTHS + <usize>load<u8>(ORDER + <usize>(sent - 1))) == 0) sent--;
  put((symbols - 257) | (1 << 5) | ((sent - 4) << 10), 14);
  for (let i = 0; i < sent; i++) put(load<u8>(RUN_LENGTHS + <usize>load<u8>(ORDER + <usize>i)), 3);
  for (let i = 0; i < runs; i++) {
    const run = load<u16>(RUNS + (<usize>i << 1));
    const symbol = run & 31;
    put(load<u32>(at32(RUN_CODES, symbol)), load<u8>(RUN_LENGTHS + <usize>symbol));
    if (symbol > 15) put(run >> 5, symbol == 16 ? 2 : symbol == 17 ? 3 : 7);
  }
}

/** Writes the first `total` lengths to `RUNS`; returns the number of runs. */
function writeRuns(total: i32): i32 {
  let to = RUNS;
  for (let i = 0; i < total; ) {
    const length = load<u8>(LENGTHS + <usize>i);
    let same = 1;
    while (i + same < total && load<u8>(LENGTHS + <usize>(i + same)) == length) same++;
    i += same;
    if (length != 0) {
      store<u16>(to, length);
      to += 2;
      same--;
    }
    while (same > 0) {
      const most = length != 0 ? 6 : 138;
      const times = min(same, most);
      if (times < 3) {
        store<u16>(to, length);
        same--;
      } else {
        const symbol = length != 0 ? 16 : times < 11 ? 17 : 18;
        store<u16>(to, symbol | ((times - (symbol == 18 ? 11 : 3)) << 5));
        same -= times;
      }
      to += 2;
    }
  }
  return <i32>((to - RUNS) >> 1);
}

/**
 * Writes `CODES`. The code of a match has also the extra bits of its length, and one bit of the distance. The end of the
 * block has the entry `MATCH`, which no token uses.
 */
function writeCodes(): void {
  startCodes(LENGTHS, SYMBOLS);
  for (let symbol = 0; symbol < FIRST_LENGTH; symbol++) {
    const length: i32 = load<u8>(LENGTHS + <usize>symbol);
    if (length != 0) store<u32>(at32(CODES, symbol), (nextCode(length) << 8) | <u32>length);
  }
  let last = -1;
  let code: u32 = 0;
  for (let match = 3; match <= LONGEST; match++) {
    const symbol = symbolOf(match);
    const length: i32 = load<u8>(LENGTHS + <usize>symbol);
    if (length == 0) continue;
    if (symbol != last) code = nextCode(length);
    last = symbol;
    const extra = extraBits(match);
    const value = code | (<u32>((match - 3) & ((1 << extra) - 1)) << length);
    store<u32>(at32(CODES, MATCH + match), (value << 8) | <u32>(length + extra + 1));
  }
}

function writeBody(tokens: usize, end: usize): void {
  let to = out;
  let b = bits;
  let n = left;
  for (let at = tokens; at < end; at += 4) {
    const first = load<u32>(at32(CODES, load<u16>(at)));
    b |= <u64>(first >> 8) << <u64>n;
    n += first & 63;
    if (at + 2 < end) {
      const second = load<u32>(at32(CODES, load<u16>(at, 2)));
      b |= <u64>(second >> 8) << <u64>n;
      n += second & 63;
    }
    store<u64>(to, b);
    to += <usize>(n >> 3);
    b >>= <u64>(n & 56);
    n &= 7;
  }
  out = to;
  bits = b;
  left = n;
}
