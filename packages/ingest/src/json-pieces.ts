import { setImmediate } from 'node:timers/promises';
import { isObject } from '@headwater/core/values';

/**
 * Bytes [start, end) of consecutive objects or lists. They are elements of one list in the outermost object of the document, such as the
 * Items of a page.
 */
interface Piece {
  readonly start: number;
  end: number;
  /** Number of the list in the document, in the order of the lists. */
  readonly list: number;
}

const [QUOTE, COMMA, COLON, LIST, BACKSLASH] = [0x22, 0x2c, 0x3a, 0x5b, 0x5c] as const;
const [LIST_END, OBJECT, OBJECT_END] = [0x5d, 0x7b, 0x7d] as const;
/** Number of open brackets around an element of such a list: those of the object and of the list. */
const PIECE_DEPTH = 2;
/** Consecutive elements of a list are parsed together as one piece up to this number of bytes. */
const PIECE_BYTES = 65_536;
/** Time of parsing after which the event loop may run other work, ms. */
const TURN_MS = 20;

/**
 * Finds pieces of a JSON document that can be parsed separately, while the bytes of the document arrive. A piece consists of
 * objects and lists that are elements of a list in the outermost object. The syntax is checked later, by the parser.
 */
export class JsonPieces {
  readonly #pieces: Piece[] = [];
  /** Number of bytes in all chunks so far. */
  #seen = 0;
  #depth = 0;
  #start = 0;
  #lists = 0;
  /** True if the outermost value is an object. */
  #isObject = false;
  /** True if the value that was opened last in the outermost object is a list. */
  #isInList = false;
  #isInText = false;
  #isEscaped = false;
  #all = 0;
  #piece = 0;
  #outside = 0;

  /**
   * Numbers of values so far. `all` counts the values of the document. `stretch` is the greater of two numbers: the
   * values in the newest element of a list, and the values outside of pieces. The parser parses each of the two in
   * one call.
   */
  get values(): { readonly all: number; readonly stretch: number } {
    return { all: this.#all, stretch: Math.max(this.#piece, this.#outside) };
  }

  /** Takes the next chunk of bytes. */
  see(bytes: Uint8Array): void {
    for (let at = 0; at < bytes.length; at += 1) {
      if (this.#isInText) at = this.#passText(bytes, at);
      else this.#scan(bytes[at]!, this.#seen + at);
    }
    this.#seen += bytes.length;
  }

  /**
   * Index of the quote that ends the string around position `from`; the length of `bytes` if the string does not end in these
   * bytes.
   */
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

  #scan(byte: number, at: number): void {
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

  /**
   * Parses the document after `see` has received all its bytes. Between pieces, the event loop can run other work. Throws SyntaxError if the
   * document is not JSON.
   */
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

  /** The text of the document, with each piece replaced by a placeholder `{"piece":INDEX}`. */
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

/**
 * Replaces the placeholders in a list by the pieces. Every object in such a list is a placeholder, because all objects of the list were
 * taken out as pieces.
 */
function putBack(list: unknown[], pieces: readonly (readonly unknown[])[]): void {
  const outside = list.splice(0);
  for (const value of outside) {
    if (!isObject(value)) list.push(value);
    else for (const part of pieces[Number(value['piece'])] ?? []) list.push(part);
  }
}

/**
 * Decodes bytes of UTF-8 and drops a byte order mark. Pieces end at brackets, so the bytes contain only whole characters.
 */
const DECODER = new TextDecoder();

function textOf(bytes: Uint8Array, start: number, end: number): string {
  return DECODER.decode(bytes.subarray(start, end));
}
