/** Polynomial of CRC-32C (Castagnoli), reflected; RFC 3720, appendix B.4. */
const POLYNOMIAL = 0x82f63b78;

/** Bytes per step, and number of tables of 256 values. */
const STEP = 16;

/** Table `n` contains the CRC of each byte followed by `n` zero bytes. */
const TABLES = tables();

function tables(): Int32Array {
  const all = new Int32Array(STEP * 256);
  for (let byte = 0; byte < 256; byte += 1) {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
    all[byte] = value;
  }
  for (let at = 256; at < all.length; at += 1) {
    const before = all[at - 256]!;
    all[at] = (before >>> 8) ^ all[before & 0xff]!;
  }
  return all;
}

/** Four bytes are read as a word only on a little-endian machine. */
const IS_LITTLE_ENDIAN = new Uint8Array(Uint16Array.of(1).buffer)[0] === 1;

/** CRC-32C of bytes, continued from `before` (0 at the start). */
export function crc32c(bytes: Uint8Array, before = 0): number {
  // The first bytes are read one by one, because an `Int32Array` must begin at a multiple of four bytes.
  const first = Math.min(bytes.length, -bytes.byteOffset & 3);
  const words = IS_LITTLE_ENDIAN ? ((bytes.length - first) >>> 4) * 4 : 0;
  const last = first + words * 4;
  const begun = ofBytes(bytes.subarray(0, first), ~before);
  const crc = words === 0 ? begun : ofWords(new Int32Array(bytes.buffer, bytes.byteOffset + first, words), begun);
  return ~ofBytes(bytes.subarray(last), crc) >>> 0;
}

function ofBytes(bytes: Uint8Array, before: number): number {
  let crc = before;
  for (const byte of bytes) crc = (crc >>> 8) ^ TABLES[(crc ^ byte) & 0xff]!;
  return crc;
}

function ofWords(words: Int32Array, before: number): number {
  const t = TABLES;
  let crc = before;
  for (let at = 0; at < words.length; at += 4) {
    const a = words[at]! ^ crc;
    const b = words[at + 1]!;
    const c = words[at + 2]!;
    const d = words[at + 3]!;
    crc =
      t[0xf00 + (a & 0xff)]! ^
      t[0xe00 + ((a >>> 8) & 0xff)]! ^
      t[0xd00 + ((a >>> 16) & 0xff)]! ^
      t[0xc00 + (a >>> 24)]! ^
      t[0xb00 + (b & 0xff)]! ^
      t[0xa00 + ((b >>> 8) & 0xff)]! ^
      t[0x900 + ((b >>> 16) & 0xff)]! ^
      t[0x800 + (b >>> 24)]! ^
      t[0x700 + (c & 0xff)]! ^
      t[0x600 + ((c >>> 8) & 0xff)]! ^
      t[0x500 + ((c >>> 16) & 0xff)]! ^
      t[0x400 + (c >>> 24)]! ^
      t[0x300 + (d & 0xff)]! ^
      t[0x200 + ((d >>> 8) & 0xff)]! ^
      t[0x100 + ((d >>> 16) & 0xff)]! ^
      t[d >>> 24]!;
  }
  return crc;
}

/** Base64 of a CRC, highest byte first, as S3 and Google Cloud Storage use it. */
export function crcText(crc: number): string {
  return btoa(String.fromCharCode(crc >>> 24, (crc >>> 16) & 0xff, (crc >>> 8) & 0xff, crc & 0xff));
}

/** CRC-32C (base64) of a stream of bytes. */
export async function crcOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let crc = 0;
  for await (const piece of pieces) crc = crc32c(piece, crc);
  return crcText(crc);
}

/**
 * Checksum of S3 for an upload in parts: the CRC of the joined CRCs, a hyphen, and the number of parts
 * (https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html).
 */
export function compositeCrc(parts: readonly string[]): string {
  const joined = Uint8Array.from(parts.flatMap((part) => Array.from(atob(part), (char) => char.charCodeAt(0))));
  return `${crcText(crc32c(joined))}-${parts.length}`;
}
