import { weighted } from './accept-media.ts';

/** Encodings of prepared bytes. */
export type Encoding = 'br' | 'gzip' | 'identity';

// Encodings that compress. If a client gives several encodings the same weight, the first of them in this list is used.
const COMPRESSED = ['br', 'gzip'] as const;

/**
 * Chooses the encoding to send (RFC 9110, 12.5.3). Without a header nothing is compressed; `gzip;q=0` excludes gzip. If
 * the client refuses all encodings (only `identity;q=0`), the bytes are sent unencoded, as the RFC allows. A client
 * that sends only `*` also gets unencoded bytes, because STAC programs that cannot decode anything send this.
 */
export function chooseEncoding(header: string | readonly string[] | undefined): Encoding {
  if (header === undefined || header === '' || header === 'identity' || header === '*') return 'identity';
  const listed = weighted(typeof header === 'string' ? header : header.join(','));
  const weights = new Map(listed.map(({ type, weight }) => [type, weight]));
  const other = weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  // Usually the header does not list `identity`. Unencoded bytes are then sent only if no other encoding is accepted.
  let most = weights.get('identity') ?? 0;
  for (const encoding of COMPRESSED) {
    const weight = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ?? other;
    // If `identity` has the same weight as another encoding, `identity` is chosen. Client and service then save the work of
    // compression.
    if (weight > most) {
      best = encoding;
      most = weight;
    }
  }
  return best;
}
