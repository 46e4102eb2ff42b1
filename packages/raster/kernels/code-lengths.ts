// Lengths of Huffman codes with a limit, and the codes for them (RFC 1951, section 3.2.2).

import { at32 } from './huffman';

// Memory for up to 286 symbols.
/** uint16 by rank: symbols, the rarest first. */
const SORTED: usize = memory.data(572, 16);
/** uint32 by node: how often its symbols occur. The first nodes are the sorted symbols, the others join two nodes. */
const WEIGHTS: usize = memory.data(2288, 16);
/** uint16 by node: node that joins it with another one. Later the number of joins above it. */
const PARENTS: usize = memory.data(1144, 16);
/** int32 by length: number of codes. */
const COUNTS: usize = memory.data(64, 16);
/** uint32 by length: the next code. */
const NEXT: usize = memory.data(64, 16);

/**
 * Writes the length of each symbol's code to `lengths` (uint8), so that frequent symbols have short codes of at most
 * `limit` bits; 0 for a symbol that does not occur. At least two symbols must occur. `frequencies`: uint32 by symbol.
 */
export function writeLengths(frequencies: usize, symbols: i32, lengths: usize, limit: i32): void {
  const used = sort(frequencies, symbols);
  join(used);
  memory.fill(COUNTS, 0, 64);
  // The last node joins all others. Each node is one bit deeper than the node that joins it.
  store<u16>(at16(PARENTS, 2 * used - 2), 0);
  for (let node = 2 * used - 3; node >= 0; node--) {
    const depth = load<u16>(at16(PARENTS, load<u16>(at16(PARENTS, node)))) + 1;
    store<u16>(at16(PARENTS, node), depth);
    if (node < used) add(min(<i32>depth, limit), 1);
  }
  shorten(limit);
  memory.fill(lengths, 0, symbols);
  let rank = 0;
  for (let length = limit; length > 0; length--) {
    for (let left = load<i32>(at32(COUNTS, length)); left > 0; left--, rank++)
      store<u8>(lengths + <usize>load<u16>(at16(SORTED, rank)), <u8>length);
  }
}

/** Prepares `nextCode` for the codes of `lengths` (uint8 by symbol). */
export function startCodes(lengths: usize, symbols: i32): void {
  memory.fill(COUNTS, 0, 64);
  for (let i = 0; i < symbols; i++) add(load<u8>(lengths + <usize>i), 1);
  store<i32>(COUNTS, 0);
  let code = 0;
  for (let length = 1; length <= 15; length++) {
    code = (code + load<i32>(at32(COUNTS, length - 1))) << 1;
    store<i32>(at32(NEXT, length), code);
  }
}

/** The next code of this length, in the order of the bits in a stream. Call it for the symbols in ascending order. */
export function nextCode(length: i32): u32 {
  const code = load<i32>(at32(NEXT, length));
  store<i32>(at32(NEXT, length), code + 1);
  let bits: u32 = 0;
  for (let i = 0; i < length; i++) bits |= <u32>((code >> i) & 1) << (length - 1 - i);
  return bits;
}

// @ts-ignore: decorator
@inline
function at16(list: usize, index: i32): usize {
  return list + (<usize>index << 1);
}

function add(length: i32, change: i32): void {
  store<i32>(at32(COUNTS, length), load<i32>(at32(COUNTS, length)) + change);
}

/** Sorts the symbols that occur by their frequency; returns their number. */
function sort(frequencies: usize, symbols: i32): i32 {
  let used = 0;
  for (let symbol = 0; symbol < symbols; symbol++) {
    const weight = load<u32>(at32(frequencies, symbol));
    if (weight == 0) continue;
    let rank = used++;
    for (; rank > 0 && load<u32>(at32(WEIGHTS, rank - 1)) > weight; rank--) {
      store<u32>(at32(WEIGHTS, rank), load<u32>(at32(WEIGHTS, rank - 1)));
      store<u16>(at16(SORTED, rank), load<u16>(at16(SORTED, rank - 1)));
    }
    store<u32>(at32(WEIGHTS, rank), weight);
    store<u16>(at16(SORTED, rank), <u16>symbol);
  }
  return used;
}

/** Joins the two rarest nodes again and again. Joined nodes are created in the order of their weights. */
function join(used: i32): void {
  let symbol = 0;
  let joined = used;
  for (let node = used; node < 2 * used - 1; node++) {
    let weight: u32 = 0;
    for (let i = 0; i < 2; i++) {
      const isSymbol =
        symbol < used && (joined >= node || load<u32>(at32(WEIGHTS, symbol)) <= load<u32>(at32(WEIGHTS, joined)));
      const next = isSymbol ? symbol++ : joined++;
      weight += load<u32>(at32(WEIGHTS, next));
      store<u16>(at16(PARENTS, next), <u16>node);
    }
    store<u32>(at32(WEIGHTS, node), weight);
  }
}

/** Makes codes longer until those that were cut to `limit` bits have room. */
function shorten(limit: i32): void {
  let room = 1 << limit;
  for (let length = 1; length <= limit; length++) room -= load<i32>(at32(COUNTS, length)) << (limit - length);
  for (; room < 0; room++) {
    let length = limit - 1;
    while (load<i32>(at32(COUNTS, length)) == 0) length--;
    // A code becomes one bit longer, and a code of `limit` bits takes the free place next to it.
    add(length, -1);
    add(length + 1, 2);
    add(limit, -1);
  }
}
