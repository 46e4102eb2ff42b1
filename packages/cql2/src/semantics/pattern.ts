import type { Cql2Pattern } from '../model/expression.ts';
import { fold } from './fold.ts';

/** A pattern as one text, its folding done. */
export function patternText(pattern: Cql2Pattern): string {
  return typeof pattern === 'string' ? pattern : fold(pattern.op, patternText(pattern.args[0]));
}

/** Letters in a row, as numbers; `ANY` is any one of them (`_`). */
type Piece = readonly number[];
const ANY = -1;

/** What a pattern says of a text: letters that follow each other, with any number of others (`%`) between one piece and the next. */
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

function piecesOf(pattern: string): readonly Piece[] {
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

/** Whether a piece stands at this place of a text. */
function fits(piece: Piece, letters: readonly number[], at: number): boolean {
  return piece.every((letter, index) => letter === ANY || letter === letters[at + index]);
}

/** Places of a piece that are looked for at once: the bits of a number. */
const BITS = 32;

interface Block {
  /** Bits of the places at which a letter may stand, of those that the block names, and of any other. */
  readonly named: ReadonlyMap<number, number>;
  readonly others: number;
  /** Bit of its last place. */
  readonly last: number;
}

/**
 * Where the first occurrence of a piece ends, looked for from a place on. Each letter of the text is looked at once for each 32 of the piece,
 * whatever repeats in both: going back after each mismatch would cost the product of their lengths, which who searches can make large.
 */
function finder(piece: Piece): (letters: readonly number[], from: number) => number | undefined {
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

function blockOf(places: Piece): Block {
  const others = bitsOf(places, ANY);
  const named = new Map(places.map((letter) => [letter, bitsOf(places, letter) | others]));
  return { named, others, last: places.length - 1 };
}

function bitsOf(places: Piece, letter: number): number {
  return places.reduce((bits, each, place) => (each === letter ? bits | (1 << place) : bits), 0);
}

interface Scanned {
  readonly letters: readonly number[];
  readonly from: number;
  /** 1 where the blocks before have ended; undefined before the first one, which may begin everywhere. */
  readonly begins: Uint8Array | undefined;
  /** Takes a 1 wherever the block ends; without it the first end is enough. */
  readonly ends?: Uint8Array;
}

/** Where a block first ends that begins where those before it have ended. */
function scan({ named, others, last }: Block, { letters, from, begins, ends }: Scanned): number | undefined {
  // A bit for each of its places: set where the letters up to here are those of the block up to that place.
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
