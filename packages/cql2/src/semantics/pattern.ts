import type { Cql2Pattern } from '../model/expression.ts';
import { fold } from './fold.ts';

/** A pattern's text with its folds applied. */
export function patternText(pattern: Cql2Pattern): string {
  return typeof pattern === 'string' ? pattern : fold(pattern.op, patternText(pattern.args[0]));
}

/** Consecutive characters of a pattern as code points; `ANY` is `_`. */
type Segment = readonly number[];
const ANY = -1;

/** Returns a function that tests if a text matches a LIKE pattern. */
export function likeTest(pattern: string): (text: string) => boolean {
  const [start = [], ...others] = piecesOf(pattern);
  const end = others.pop();
  if (end === undefined) {
    return (text) => {
      const letters = lettersOf(text);
      return letters.length === start.length && fits(start, letters, 0);
    };
  }
  const between = others.map(finder);
  return (text) => {
    const letters = lettersOf(text);
    const last = letters.length - end.length;
    if (last < start.length || !fits(start, letters, 0) || !fits(end, letters, last)) return false;
    let at: number | undefined = start.length;
    for (const find of between) {
      at = find(letters, at);
      if (at === undefined) return false;
    }
    return at <= last;
  };
}

function lettersOf(text: string): readonly number[] {
  const letters: number[] = [];
  for (const letter of text) letters.push(letter.codePointAt(0) ?? 0);
  return letters;
}

function piecesOf(pattern: string): readonly Segment[] {
  let piece: number[] = [];
  const pieces = [piece];
  let isEscaped = false;
  for (const letter of pattern) {
    if (isEscaped || !'%_\\'.includes(letter)) piece.push(letter.codePointAt(0) ?? 0);
    else if (letter === '_') piece.push(ANY);
    else if (letter === '%') pieces.push((piece = []));
    isEscaped = !isEscaped && letter === '\\';
  }
  return pieces;
}

function fits(piece: Segment, letters: readonly number[], at: number): boolean {
  return piece.every((letter, index) => letter === ANY || letter === letters[at + index]);
}

const BITS = 32;

interface Block {
  /** For each letter, the bits of the positions that the letter matches. `others`: bits for all other letters. */
  readonly named: ReadonlyMap<number, number>;
  readonly others: number;
  readonly last: number;
}

/**
 * Returns a function that finds a segment and returns the position after it. It compares 32 positions at once
 * (Shift-And): with a comparison of single positions, clients could send patterns that take long.
 */
function finder(piece: Segment): (letters: readonly number[], from: number) => number | undefined {
  const blocks = Array.from({ length: Math.ceil(piece.length / BITS) }, (_, at) =>
    blockOf(piece.slice(at * BITS, (at + 1) * BITS)),
  );
  const last = blocks.pop();
  if (last === undefined) return (_letters, from) => from;
  return (letters, from) => {
    if (piece.length > letters.length - from) return undefined;
    let begins: Uint8Array | undefined;
    for (const block of blocks) {
      const ends = new Uint8Array(letters.length + 1);
      scan(block, { letters, from, begins, ends });
      begins = ends;
    }
    return scan(last, { letters, from, begins });
  };
}

function blockOf(places: Segment): Block {
  const others = bitsOf(places, ANY);
  const named = new Map(places.map((letter) => [letter, bitsOf(places, letter) | others]));
  return { named, others, last: places.length - 1 };
}

function bitsOf(places: Segment, letter: number): number {
  return places.reduce((bits, each, place) => (each === letter ? bits | (1 << place) : bits), 0);
}

interface Scanned {
  readonly letters: readonly number[];
  readonly from: number;
  /**
   * Has a 1 at each position where a match of the preceding block (32 characters of the pattern) ends. Undefined for
   * the first block.
   */
  readonly begins: Uint8Array | undefined;
  readonly ends?: Uint8Array;
}

function scan({ named, others, last }: Block, { letters, from, begins, ends }: Scanned): number | undefined {
  // A bit is 1 if the letters up to `at` match the block up to the position of the bit.
  let state = 0;
  for (let at = from; at < letters.length; at++) {
    const begun = begins === undefined ? 1 : (begins[at] ?? 0);
    state = ((state << 1) | begun) & (named.get(letters[at] ?? 0) ?? others);
    if (((state >>> last) & 1) === 0) continue;
    if (ends === undefined) return at + 1;
    ends[at + 1] = 1;
  }
  return undefined;
}
