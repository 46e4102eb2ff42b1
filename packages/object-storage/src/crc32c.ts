/** Polynomial of CRC-32C (Castagnoli), reflected; RFC 3720, appendix B.4. */
const POLYNOMIAL = 0x82f63b78;

/** Tables for eight bytes at a time. */
const TABLES = tables();

function tables(): readonly Uint32Array[] {
  const first = Uint32Array.from({ length: 256 }, (_, byte) => {
    let value = byte;
    for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 0 ? value >>> 1 : (value >>> 1) ^ POLYNOMIAL;
    return value;
  });
  const all = [first];
  for (let step = 1; step < 8; step += 1) {
    const before = all[step - 1]!;
    all.push(before.map((value) => (value >>> 8) ^ first[value & 0xff]!));
  }
  return all;
}

/** CRC-32C of bytes, continued from the value of the bytes before them (0 at the start). */
export function crc32c(bytes: Uint8Array, before = 0): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = TABLES as [
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
    Uint32Array,
  ];
  let crc = ~before;
  let at = 0;
  for (const end = bytes.length - 7; at < end; at += 8) {
    crc ^= bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
    crc =
      t7[crc & 0xff]! ^
      t6[(crc >>> 8) & 0xff]! ^
      t5[(crc >>> 16) & 0xff]! ^
      t4[crc >>> 24]! ^
      t3[bytes[at + 4]!]! ^
      t2[bytes[at + 5]!]! ^
      t1[bytes[at + 6]!]! ^
      t0[bytes[at + 7]!]!;
  }
  for (; at < bytes.length; at += 1) crc = (crc >>> 8) ^ t0[(crc ^ bytes[at]!) & 0xff]!;
  return ~crc >>> 0;
}

/** A CRC in the form of both storages: base64 of its four bytes, the highest first. */
export function crcText(crc: number): string {
  return btoa(String.fromCharCode(crc >>> 24, (crc >>> 16) & 0xff, (crc >>> 8) & 0xff, crc & 0xff));
}

/** CRC-32C of bytes as they arrive, base64. */
export async function crcOfPieces(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  let crc = 0;
  for await (const piece of pieces) crc = crc32c(piece, crc);
  return crcText(crc);
}

/**
 * Checksum that S3 reports for an object that was uploaded in parts: the CRC of all CRCs of the parts, and the number
 * of parts (https://docs.aws.amazon.com/AmazonS3/latest/userguide/checking-object-integrity.html).
 */
export function compositeCrc(parts: readonly string[]): string {
  const joined = Uint8Array.from(parts.flatMap((part) => Array.from(atob(part), (char) => char.charCodeAt(0))));
  return `${crcText(crc32c(joined))}-${parts.length}`;
}
