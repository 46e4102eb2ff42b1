import { StacError } from './errors.ts';

/** Code of sha2-256 (0x12) and digest length (0x20 = 32 bytes), in hex. */
const SHA2_256 = '1220';

/**
 * Multihash of a SHA-256 for `file:checksum` (file extension v2.1). Throws `StacError` unless the text is 64 hex
 * digits.
 */
export function multihash(sha256hex: string): string {
  const digest = sha256hex.toLowerCase();
  if (!/^[0-9a-f]{64}$/.test(digest)) {
    throw new StacError(`multihash: ${JSON.stringify(sha256hex)} is not a sha-256 in hex; give its 64 digits`);
  }
  return SHA2_256 + digest;
}

/** Digest length by code, bytes: sha1, sha2-256, sha2-512, sha3-512, sha3-256, md5 (0xd5 0x01), blake2b-256. */
const DIGEST_BYTES: Readonly<Record<string, number>> = {
  '11': 20,
  '12': 32,
  '13': 64,
  '14': 64,
  '16': 32,
  d501: 16,
  a0e402: 32,
};

/** True for a multihash in lower-case hex. False for a SHA-256 without code and length. */
export function isMultihash(text: unknown): boolean {
  if (typeof text !== 'string' || !/^(?:[0-9a-f]{2})+$/.test(text)) return false;
  return Object.entries(DIGEST_BYTES).some(([code, bytes]) => {
    const head = code + bytes.toString(16).padStart(2, '0');
    return text.startsWith(head) && text.length === head.length + bytes * 2;
  });
}
