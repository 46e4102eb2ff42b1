import { setImmediate } from 'node:timers/promises';
import { isObject } from '@headwater/core/values';

/** Neighbours in a list of the outermost object, such as Items of a page or links. Bytes [start, end). */
interface Piece {
  readonly start: number;
  end: number;
  /** Which list of the document they stand in. */
  readonly list: number;
}

const [QUOTE, COMMA, COLON, LIST, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5b, 0x5c] as const;
const [LIST_END, OBJECT, OBJECT_END] = [0x5d, 0x7b, 0x7d] as const;
/** Depth of what stands in a list of the outermost object. */
const PIECE_DEPTH = 2;
/** Small neighbours are parsed together up to this length, bytes. */
const PIECE_BYTES = 65_536;
/** Time for which pieces are parsed at a stretch, ms. */
const TURN_MS = 20;

/**
 * Looks at the bytes of a JSON document as they come, and finds the pieces that can be parsed by themselves: objects and lists in a
 * list of the outermost object. Whether it is JSON at all is found by the parser.
 */
export class JsonPieces {
  readonly #pieces: Piece[] = [];
  /** Bytes of the parts that came before. */
  #seen = 0;
  #depth = 0;
  #start = 0;
  #lists = 0;
  /** The outermost value is an object. */
  #isObject = false;
  /** What was opened last in that object is a list. */
  #isInList = false;
  #isInText = false;
  #isEscaped = false;
  #all = 0;
  #piece = 0;
  #outside = 0;

  /** Values so far: of the document, and of what is parsed at a stretch: the object that came last, or all that is in none. */
  get values(): { readonly all: number; readonly stretch: number } {
    return { all: this.#all, stretch: Math.max(this.#piece, this.#outside) };
  }

  /** Takes the next bytes. */
  see(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInText) at = this.#passText(bytes, at);
      else this.#look(bytes[at]!, this.#seen + at);
    }
    this.#seen += bytes.length;
  }

  /** Where the text that `from` stands in ends, or these bytes do. */
  #passText(bytes: Uint8Array, from: number): number {
    let isEscaped = this.#isEscaped;
    let at = from;
    for (; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (isEscaped) isEscaped = false;
      else if (byte === BACKSLASH) isEscaped = true;
      else if (byte === QUOTE) {
        this.#isInText = false;
        break;
      }
    }
    this.#isEscaped = isEscaped;
    return at;
  }

  #look(byte: number, at: number): void {
    if (byte === QUOTE) this.#isInText = true;
    else if (byte === COMMA || byte === COLON) this.#count();
    else if (byte === LIST || byte === OBJECT) this.#open(byte, at);
    else if (byte === LIST_END || byte === OBJECT_END) this.#close(at);
  }

  #open(byte: number, at: number): void {
    if (this.#depth === 0) this.#isObject = byte === OBJECT;
    else if (this.#depth === 1) [this.#isInList, this.#lists] = [this.#isObject && byte === LIST, this.#lists + 1];
    else if (this.#depth === PIECE_DEPTH && this.#isInList) [this.#start, this.#piece] = [at, 0];
    this.#depth += 1;
    this.#count();
  }

  #count(): void {
    this.#all += 1;
    if (this.#depth > PIECE_DEPTH && this.#isInList) this.#piece += 1;
    else this.#outside += 1;
  }

  #close(at: number): void {
    this.#depth -= 1;
    if (this.#depth !== PIECE_DEPTH || !this.#isInList) return;
    const [end, last] = [at + 1, this.#pieces.at(-1)];
    if (last?.list === this.#lists && end - last.start <= PIECE_BYTES) last.end = end;
    else this.#pieces.push({ start: this.#start, end, list: this.#lists });
  }

  /** The document of these bytes, all of which were seen; others get their turn in between. Throws SyntaxError where it is no JSON. */
  async parse(bytes: Uint8Array): Promise<unknown> {
    const pieces: (readonly unknown[])[] = [];
    let since = performance.now();
    for (const { start, end } of this.#pieces) {
      pieces.push(JSON.parse(`[${textOf(bytes, start, end)}]`));
      if (performance.now() - since < TURN_MS) continue;
      await setImmediate();
      since = performance.now();
    }
    const outer: unknown = JSON.parse(this.#outerText(bytes));
    for (const list of isObject(outer) ? Object.values(outer) : []) if (Array.isArray(list)) putBack(list, pieces);
    return outer;
  }

  /** The document with a number in the place of each piece. */
  #outerText(bytes: Uint8Array): string {
    const parts: string[] = [];
    let from = 0;
    for (const [index, { start, end }] of this.#pieces.entries()) {
      parts.push(textOf(bytes, from, start), `{"piece":${index}}`);
      from = end;
    }
    return [...parts, textOf(bytes, from, bytes.byteLength)].join('');
  }
}

/** Whatever object stands in such a list stands for a piece: all others were taken out. */
function putBack(list: unknown[], pieces: readonly (readonly unknown[])[]): void {
  const outside = list.splice(0);
  for (const value of outside) {
    if (!isObject(value)) list.push(value);
    else for (const part of pieces[Number(value['piece'])] ?? []) list.push(part);
  }
}

/** The decoder drops a byte order mark, and is given whole characters: pieces end at brackets. */
const DECODER = new TextDecoder();

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}
