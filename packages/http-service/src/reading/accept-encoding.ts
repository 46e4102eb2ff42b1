import { weighted } from './accept-media.ts';

/** Encodings that prepared bytes are sent in. */
export type Encoding = 'br' | 'gzip' | 'identity';

// In the order in which they are chosen where a client likes them equally.
const COMPRESSED = ['br', 'gzip'] as const;

/**
 * The encoding to send (RFC 9110, 12.5.3). Nothing is compressed unasked; `gzip;q=0` means no gzip. Where all that we have is
 * refused (`identity;q=0` alone), the bytes go as they are: such a header may be disregarded. `*` alone names nothing that its sender
 * can read, and STAC's own programs send it that read no encoding at all: they get the bytes as they are.
 */
export function chooseEncoding(header: string | readonly string[] | undefined): Encoding {
  if (header === undefined || header === '' || header === 'identity' || header === '*') return 'identity';
  const listed = weighted(typeof header === 'string' ? header : header.join(','));
  const weights = new Map(listed.map(({ type, weight }) => [type, weight]));
  const other = weights.get('*') ?? 0;
  let best: Encoding = 'identity';
  // Identity is not named as a rule; then it is what is sent where nothing else is liked.
  let most = weights.get('identity') ?? 0;
  for (const encoding of COMPRESSED) {
    const weight = weights.get(encoding) ?? (encoding === 'gzip' ? weights.get('x-gzip') : undefined) ?? other;
    // A client that names identity as high as the rest gets it: it costs nobody anything.
    if (weight > most) {
      best = encoding;
      most = weight;
    }
  }
  return best;
}
