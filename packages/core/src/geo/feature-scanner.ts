/**
 * Faults in the bytes of a FeatureCollection. `no objects`: the list contains elements that are not objects. `cut off`:
 * the bytes end too early.
 */
export type ScanFault = 'feature size' | 'outside size' | 'no objects' | 'two lists' | 'cut off';

/** Limits of a scanner, and the function that creates its errors. */
export interface ScanRules {
  /** Maximum bytes of one feature. */
  readonly feature: number;
  /** Maximum bytes outside of the features. */
  readonly outside: number;
  readonly refusal: (fault: ScanFault) => Error;
}

const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c] as const;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Nesting depth of the collection's members, and of the features in its list. */
const [MEMBERS, IN_LIST] = [1, 2] as const;
const KEY = new TextEncoder().encode('features');

/**
 * Splits a GeoJSON FeatureCollection (RFC 7946) into the bytes of its features, with one feature in memory at a time.
 * Does not check that features are valid JSON.
 */
export class FeatureScanner {
  hasList = false;
  readonly #refusal: ScanRules['refusal'];
  readonly #feature: Pieces;
  readonly #outside: Pieces;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** Last JSON string directly in the collection: when a list begins, the name of the list's member. */
  #name: number[] = [];
  #isInList = false;
  #expected: 'first' | 'feature' | 'comma' = 'first';

  constructor({ feature, outside, refusal }: ScanRules) {
    this.#refusal = refusal;
    this.#feature = new Pieces(feature, () => refusal('feature size'));
    this.#outside = new Pieces(outside, () => refusal('outside size'));
  }

  /** Scans the next bytes; yields the bytes of each feature that ends in them. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.#isInText) {
        this.#passText(byte);
        continue;
      }
      const isBetween = this.#isInList && this.#depth === IN_LIST;
      if (isBetween) this.#checkBetween(byte);
      if (byte === QUOTE) this.#beginText();
      else if (byte === LIST || byte === OBJECT) {
        if (isBetween) from = at;
        this.#depth += 1;
        if (this.#beginsList(byte)) this.#outside.add(bytes.subarray(from, at + 1));
      } else if (byte === LIST_END || byte === OBJECT_END) {
        this.#depth -= 1;
        if (isBetween) [this.#isInList, from] = [false, at];
        else if (this.#isInList && this.#depth === IN_LIST) {
          this.#feature.add(bytes.subarray(from, at + 1));
          this.#expected = 'comma';
          yield this.#feature.take();
        }
      }
    }
    if (!this.#isInList) this.#outside.add(bytes.subarray(from));
    else if (this.#depth > IN_LIST) this.#feature.add(bytes.subarray(from));
  }

  /**
   * Ends the scan after the last bytes. Returns the collection with an empty list of features. Throws if the bytes end
   * too early.
   */
  end(): Uint8Array {
    if (this.#isInList || this.#isInText || this.#depth !== 0) throw this.#refusal('cut off');
    return this.#outside.take();
  }

  #beginText(): void {
    this.#isInText = true;
    if (this.#depth === MEMBERS) this.#name = [];
  }

  #passText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
    if (this.#isInText && this.#depth === MEMBERS && this.#name.length <= KEY.length) this.#name.push(byte);
  }

  #beginsList(byte: number): boolean {
    const isValue = byte === LIST && this.#depth === IN_LIST && !this.#isInList;
    if (!isValue || this.#name.length !== KEY.length || !KEY.every((each, at) => each === this.#name[at])) return false;
    if (this.hasList) throw this.#refusal('two lists');
    [this.hasList, this.#isInList, this.#expected] = [true, true, 'first'];
    return true;
  }

  #checkBetween(byte: number): void {
    if (BLANKS.has(byte)) return;
    const isDue = this.#expected === 'comma' ? byte === COMMA : byte === OBJECT;
    const endsHere = byte === LIST_END && this.#expected !== 'feature';
    if (!isDue && !endsHere) throw this.#refusal('no objects');
    if (byte === COMMA) this.#expected = 'feature';
  }
}

/** Bytes that arrive in pieces. Each piece is copied, because a stream may reuse its memory. */
class Pieces {
  readonly #max: number;
  readonly #tooMuch: () => Error;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(max: number, tooMuch: () => Error) {
    this.#max = max;
    this.#tooMuch = tooMuch;
  }

  add(piece: Uint8Array): void {
    this.#bytes += piece.length;
    if (this.#bytes > this.#max) throw this.#tooMuch();
    this.#pieces.push(new Uint8Array(piece));
  }

  take(): Uint8Array {
    const [only] = this.#pieces;
    const all = this.#pieces.length === 1 && only !== undefined ? only : joined(this.#pieces, this.#bytes);
    [this.#pieces, this.#bytes] = [[], 0];
    return all;
  }
}

function joined(pieces: readonly Uint8Array[], bytes: number): Uint8Array {
  const all = new Uint8Array(bytes);
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
