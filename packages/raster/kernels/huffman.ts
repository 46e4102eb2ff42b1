// Decoding tables of Huffman codes as in RFC 1951, section 3.2. An entry (uint32) is found with the next bits of the
// input. If the code is longer than these bits, the entry points to a second table.

/** Entry of a literal; bits 16 to 23 are the byte. */
export const LITERAL: u32 = 0x80000000;
/** Entry without a value: end of a block, invalid code (`INVALID`), or pointer to a second table (`POINTER`). */
export const SPECIAL: u32 = 0x8000;
/** Pointer entry; bits 16 to 30 are the position of the second table, bits 8 to 13 its number of bits. */
export const POINTER: u32 = 0x4000;
/**
 * Entry that has no place in the table of short codes (see `short-codes.ts`): `SPECIAL`, a length of more than 8 bytes, or
 * a distance of at most 8 bytes.
 */
export const LONG: u32 = 0x80;
const INVALID: u32 = SPECIAL | LONG | (1 << 16);

/** Kinds of codes: lengths of codes, literals with lengths of matches, and distances of matches. */
export const PRECODE: i32 = 0;
export const SYMBOLS: i32 = 1;
export const DISTANCES: i32 = 2;

/** Longest code, bits. */
const MOST: i32 = 15;
/** int32 by length: number of codes. */
const COUNTS: usize = memory.data(64, 16);
/** int32 by length: position in `SORTED` of the first symbol whose code has this length. */
const STARTS: usize = memory.data(64, 16);
/** uint16: symbols in the order of their codes. */
const SORTED: usize = memory.data(640, 16);

/** Order in which a stream has the lengths of the codes for lengths (RFC 1951, section 3.2.7). */
export const ORDER = memory.data<u8>([16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15]);

// @ts-ignore: decorator
@inline
export function at32(list: usize, index: i32): usize {
  return list + (<usize>index << 2);
}

/**
 * Writes the decoding table of a code; returns false for an invalid code. `lengths`: bytes of `count` symbols. Codes of
 * up to `bits` bits need one lookup.
 */
export function buildTable(lengths: usize, count: i32, table: usize, bits: i32, kind: i32): bool {
  memory.fill(COUNTS, 0, 64);
  for (let i = 0; i < count; i++) {
    const to = at32(COUNTS, load<u8>(lengths + <usize>i));
    store<i32>(to, load<i32>(to) + 1);
  }
  let free = 1;
  let longest = 0;
  let start = 0;
  for (let length = 1; length <= MOST; length++) {
    const codes = load<i32>(COUNTS + (<usize>length << 2));
    free = 2 * free - codes;
    if (free < 0) return false;
    if (codes > 0) longest = length;
    store<i32>(at32(STARTS, length), start);
    start += codes;
  }
  // Only a code of at most one distance may be incomplete.
  if (free > 0 && (kind != DISTANCES || longest > 1)) return false;
  for (let i = 0; i < count; i++) {
    const length: i32 = load<u8>(lengths + <usize>i);
    if (length == 0) continue;
    const next = at32(STARTS, length);
    const place = load<i32>(next);
    store<u16>(SORTED + (<usize>place << 1), <u16>i);
    store<i32>(next, place + 1);
  }
  if (free > 0) {
    for (let i = 0; i < 1 << bits; i++) store<u32>(at32(table, i), INVALID);
    if (longest == 0) return true;
    const only = entryOf(load<u16>(SORTED), 1, kind);
    for (let i = 0; i < 1 << bits; i += 2) store<u32>(at32(table, i), only);
    return true;
  }
  fillTable(table, bits, kind);
  return true;
}

/**
 * Fills the table of a complete code. The first bit of a code in the input is its highest bit, but is read as the
 * lowest bit. So codes are counted with reversed bits.
 */
function fillTable(table: usize, bits: i32, kind: i32): void {
  let code = 0;
  let place = SORTED;
  for (let length = 1; length <= bits; length++) {
    // Shorter codes are valid for both values of the additional bit.
    if (length > 1) memory.copy(table + (4 << (length - 1)), table, 4 << (length - 1));
    for (let left = load<i32>(at32(COUNTS, length)); left > 0; left--) {
      store<u32>(at32(table, code), entryOf(load<u16>(place), length, kind));
      place += 2;
      code = following(code, length);
    }
  }
  const mask = (1 << bits) - 1;
  let next = 1 << bits;
  let prefix = -1;
  let second = table;
  let size = 0;
  for (let length = bits + 1; length <= MOST; length++) {
    for (let left = load<i32>(at32(COUNTS, length)); left > 0; left--) {
      if ((code & mask) != prefix) {
        prefix = code & mask;
        let extra = length - bits;
        // The second table is as large as its longest code needs.
        for (let used = left; used < 1 << extra; extra++) used = 2 * used + load<i32>(at32(COUNTS, bits + extra + 1));
        second = at32(table, next);
        size = 1 << extra;
        const pointer = SPECIAL | LONG | POINTER | (<u32>extra << 8) | <u32>bits;
        store<u32>(at32(table, prefix), (<u32>next << 16) | pointer);
        next += size;
      }
      const entry = entryOf(load<u16>(place), length - bits, kind);
      for (let i = code >> bits; i < size; i += 1 << (length - bits)) store<u32>(at32(second, i), entry);
      place += 2;
      code = following(code, length);
    }
  }
}

/** The next code of this length, both with reversed bits. The last code is returned unchanged. */
function following(code: i32, length: i32): i32 {
  const zeros = code ^ ((1 << length) - 1);
  if (zeros == 0) return code;
  const bit = 1 << (31 - clz(zeros));
  return (code & (bit - 1)) | bit;
}

/**
 * Entry of a symbol with a code of `length` bits. Bits 0 to 5: number of bits to consume, including the extra bits.
 * Bit 7: `LONG`. Bits 8 to 13, only for lengths and distances: `length`. Bits 16 and higher: the value without extra bits.
 */
function entryOf(symbol: i32, length: i32, kind: i32): u32 {
  const size = <u32>length;
  if (kind == PRECODE) return (<u32>symbol << 16) | size;
  if (kind == DISTANCES) {
    if (symbol > 29) return INVALID;
    const extra = symbol < 4 ? 0 : (symbol >> 1) - 1;
    const base = symbol < 2 ? symbol + 1 : 1 + ((2 + (symbol & 1)) << extra);
    return (<u32>base << 16) | (size << 8) | (size + <u32>extra) | (base < 8 ? LONG : 0);
  }
  if (symbol < 256) return LITERAL | (<u32>symbol << 16) | size;
  if (symbol == 256) return SPECIAL | LONG | size;
  if (symbol > 285) return INVALID;
  const step = symbol - 257;
  const extra = step < 8 || step == 28 ? 0 : (step >> 2) - 1;
  const base = step < 8 ? step + 3 : step == 28 ? 258 : 3 + ((4 + (step & 3)) << extra);
  return (<u32>base << 16) | (size << 8) | (size + <u32>extra) | (base > 8 ? LONG : 0);
}
