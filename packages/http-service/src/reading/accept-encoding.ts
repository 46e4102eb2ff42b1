import { weighted } from './accept-media.ts';

/** Encodings of prepared bytes. */
export type Encoding = 'br' | 'gzip' | 'identity';

// Compressed encodings; of equal weights, the first in this list wins.
const COMPRESSED = ['br', 'gzip'] as const;

/**
 * Chooses the encoding of a response (RFC 9110, 12.5.3). Returns `identity` without a header, for `*` alone, and
 * if the client accepts no encoding.
 */
export function chooseEncoding(header: string | readonly string[] | undefined): Encoding {
  if (header === undefined || header === '' || header === 'identity' || header === '*') return 'identity';
  const listed = weighted(typeof header === 'string' ? header : header.join(','));
  const weights = new Map(listed.map(({ type, weight }) => [type, weight]));
  const other = weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  // An `identity` that is not in the header has weight 0, so each accepted compression is preferred.
  let most = weights.get('identity') ?? 0;
  for (const encoding of COMPRESSED) {
    const weight = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ?? other;
    // Of equal weights `identity` wins, because it needs no work.
    if (weight > most) {
      best = encoding;
      most = weight;
    }
  }
  return best;
}
