import { BadPlaceFile, TooMuch } from '../../places/bad-place-file.ts';
import { MAX_FEATURE_BYTES } from './raw-feature.ts';

const [QUOTE, COMMA, LIST, BACKSLASH] = [0x22, 0x2c, 0x5b, 0x5c] as const;
const [LIST_END, OBJECT, OBJECT_END] = [0x5d, 0x7b, 0x7d] as const;
const FEATURES_KEY = /"features"\s*:\s*$/;
/** Bytes before a list that are looked at for its key. */
const KEY_BYTES = 64;

/** What may come next between the features of the list. */
type Expected = 'first' | 'feature' | 'comma';

/**
 * Cuts the features out of a FeatureCollection whose bytes come in parts, so that no more than one of them is held. What stands
 * around them is kept, with an empty list in their place; whether all of it is JSON is found by the parser.
 */
export class FeatureScanner {
  /** True once the list of features was met. */
  hasList = false;
  readonly #outer: Uint8Array[] = [];
  #outerBytes = 0;
  /** The last of them, in which the key of a list may stand. */
  #tail: Uint8Array = new Uint8Array();
  #feature: Uint8Array[] = [];
  #featureBytes = 0;
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  #isInList = false;
  #expected: Expected = 'first';

  /** Takes the next bytes; gives the features that end in them. */
  *push(bytes: Uint8Array): Generator<Uint8Array> {
    // Where what is being kept began in these bytes: a feature, or what stands around them.
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at]!;
      if (this.#isInText) this.#passText(byte);
      else if (byte === QUOTE) this.#openText();
      else if (byte === OBJECT || byte === LIST) {
        if (byte === LIST && this.#opensList(bytes, from, at)) from = at + 1;
        else if (this.#isInList && this.#depth === 2) from = this.#beginFeature(byte, at);
        this.#depth += 1;
      } else if (byte === OBJECT_END || byte === LIST_END) {
        this.#depth -= 1;
        if (!this.#isInList) continue;
        if (this.#depth === 2) {
          yield this.#endFeature(bytes.subarray(from, at + 1));
          from = at + 1;
        } else if (this.#depth === 1) from = this.#endList(byte, at);
      } else if (this.#isInList && this.#depth === 2) this.#between(byte);
    }
    this.#keep(bytes.subarray(from));
  }

  /** What stands around the features, once all bytes were pushed. Throws where the file ends too early. */
  end(): Uint8Array {
    if (this.#isInList || this.#isInText || this.#depth !== 0)
      throw new BadPlaceFile('the file ends in the middle: it is not whole; copy it anew');
    return Buffer.concat(this.#outer);
  }

  #openText(): void {
    if (this.#isInList && this.#depth === 2) throw noFeature();
    this.#isInText = true;
  }

  #passText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
  }

  /** True for the bracket that opens the list of features; the bytes before it are kept. */
  #opensList(bytes: Uint8Array, from: number, at: number): boolean {
    if (this.#depth !== 1 || this.hasList) return false;
    const before = Buffer.concat([this.#tail, bytes.subarray(Math.max(from, at - KEY_BYTES), at)]);
    if (!FEATURES_KEY.test(before.toString('latin1'))) return false;
    this.#keepOuter(bytes.subarray(from, at + 1));
    [this.hasList, this.#isInList, this.#expected] = [true, true, 'first'];
    return true;
  }

  #beginFeature(byte: number, at: number): number {
    if (byte !== OBJECT || this.#expected === 'comma') throw noFeature();
    return at;
  }

  #endFeature(last: Uint8Array): Uint8Array {
    this.#expected = 'comma';
    const feature = this.#feature.length === 0 ? last : Buffer.concat([...this.#feature, last]);
    [this.#feature, this.#featureBytes] = [[], 0];
    return feature;
  }

  #endList(byte: number, at: number): number {
    if (byte !== LIST_END || this.#expected === 'feature') throw noFeature();
    this.#isInList = false;
    return at;
  }

  #between(byte: number): void {
    if (byte === COMMA && this.#expected === 'comma') this.#expected = 'feature';
    else if (byte !== 0x20 && byte !== 0x0a && byte !== 0x0d && byte !== 0x09) throw noFeature();
  }

  #keep(bytes: Uint8Array): void {
    if (!this.#isInList) this.#keepOuter(bytes);
    else if (this.#depth > 2) {
      this.#featureBytes += bytes.length;
      if (this.#featureBytes > MAX_FEATURE_BYTES) throw new TooMuch('a feature has more than 64 MB; simplify it');
      this.#feature.push(Uint8Array.from(bytes));
    }
  }

  #keepOuter(bytes: Uint8Array): void {
    this.#outerBytes += bytes.length;
    if (this.#outerBytes > MAX_FEATURE_BYTES)
      throw new TooMuch('the file has more than 64 MB beside its features; this is not a GeoJSON FeatureCollection');
    this.#outer.push(Uint8Array.from(bytes));
    this.#tail = Buffer.concat([this.#tail, bytes.subarray(-KEY_BYTES)]).subarray(-KEY_BYTES);
  }
}

const noFeature = (): BadPlaceFile =>
  new BadPlaceFile('features holds something else than Features in a list; write the file anew');
