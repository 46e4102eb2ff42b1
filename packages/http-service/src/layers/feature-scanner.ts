const [QUOTE, COMMA, BACKSLASH] = [0x22, 0x2c, 0x5c] as const;
const [LIST, LIST_END, OBJECT, OBJECT_END] = [0x5b, 0x5d, 0x7b, 0x7d] as const;
const BLANKS: ReadonlySet<number> = new Set([0x20, 0x09, 0x0a, 0x0d]);
/** Depth of the members of the collection, and of what stands in its list of features. */
const [MEMBERS, IN_LIST] = [1, 2] as const;
const FEATURES = Buffer.from('features');
/** Most bytes of one feature, and of all that stands outside of the features. */
const MOST_BYTES = 64 * 1024 * 1024;

/**
 * Takes the bytes of a FeatureCollection as they come, and gives each feature's bytes as soon as they are whole: of a file of any size, one
 * feature is held. Throws an Error in words for what cannot be one.
 */
export class FeatureScanner {
  #depth = 0;
  #isInText = false;
  #isEscaped = false;
  /** The last text at the depth of members: the name of the member that comes next. */
  #name: number[] = [];
  #isInFeatures = false;
  /** A feature came, and a comma must come before the next one. */
  #needsComma = false;
  #wasThere = false;
  /** Of the feature that has begun, and of everything outside of the features. */
  #feature = new Pieces('a feature');
  #outside = new Pieces('all beside the features');

  /** Features that these bytes complete. */
  *see(bytes: Uint8Array): Generator<Uint8Array> {
    // Where what is gathered begins in these bytes; it goes on from the ones before where a feature is open.
    let from = 0;
    for (let at = 0; at < bytes.length; at += 1) {
      const byte = bytes[at] ?? 0;
      if (this.#isInText) {
        this.#passText(byte);
        continue;
      }
      const isBetween = this.#isInFeatures && this.#depth === IN_LIST;
      if (isBetween) this.#checkBetween(byte);
      if (byte === QUOTE) this.#beginText();
      else if (byte === LIST || byte === OBJECT) {
        if (isBetween) from = at;
        this.#depth += 1;
        if (this.#beginsFeatures(byte)) this.#outside.add(bytes.subarray(from, at + 1));
      } else if (byte === LIST_END || byte === OBJECT_END) {
        this.#depth -= 1;
        if (isBetween) [this.#isInFeatures, from] = [false, at];
        else if (this.#isInFeatures && this.#depth === IN_LIST) {
          this.#feature.add(bytes.subarray(from, at + 1));
          this.#needsComma = true;
          yield this.#feature.take();
        }
      }
    }
    if (!this.#isInFeatures) this.#outside.add(bytes.subarray(from));
    else if (this.#depth > IN_LIST) this.#feature.add(bytes.subarray(from));
  }

  /** The collection without its features. Throws where it is none, or not whole. */
  end(): unknown {
    const outer: unknown = JSON.parse(this.#outside.take().toString());
    if (!this.#wasThere) throw new Error('it has no features');
    return outer;
  }

  #beginText(): void {
    this.#isInText = true;
    if (this.#depth === MEMBERS) this.#name = [];
  }

  #passText(byte: number): void {
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTE) this.#isInText = false;
    if (this.#isInText && this.#depth === MEMBERS && this.#name.length <= FEATURES.length) this.#name.push(byte);
  }

  /** True at the bracket before the first feature. */
  #beginsFeatures(byte: number): boolean {
    if (this.#depth !== IN_LIST || byte !== LIST || this.#isInFeatures || !FEATURES.equals(Uint8Array.from(this.#name)))
      return false;
    if (this.#wasThere) throw new Error('it has two lists of features');
    [this.#isInFeatures, this.#wasThere] = [true, true];
    return true;
  }

  #checkBetween(byte: number): void {
    if (BLANKS.has(byte) || byte === LIST_END) return;
    const isFine = this.#needsComma ? byte === COMMA : byte === OBJECT;
    if (!isFine) throw new Error('its features are no list of objects');
    this.#needsComma = false;
  }
}

/** Bytes that come piece by piece. */
class Pieces {
  readonly #name: string;
  #pieces: Uint8Array[] = [];
  #bytes = 0;

  constructor(name: string) {
    this.#name = name;
  }

  add(piece: Uint8Array): void {
    this.#bytes += piece.byteLength;
    if (this.#bytes > MOST_BYTES) throw new Error(`${this.#name} has more than ${MOST_BYTES} bytes`);
    this.#pieces.push(piece);
  }

  take(): Buffer {
    const [only, ...more] = this.#pieces;
    const all = only === undefined || more.length > 0 ? Buffer.concat(this.#pieces) : Buffer.from(only);
    [this.#pieces, this.#bytes] = [[], 0];
    return all;
  }
}
