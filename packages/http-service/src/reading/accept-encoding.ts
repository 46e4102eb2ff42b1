/** Encodings that prepared bytes are sent in. */
export type Encoding = 'br' | 'gzip' | 'identity';

// In the order in which they are chosen where a client likes them equally.
const COMPRESSED = ['br', 'gzip'] as const;
const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

/**
 * The encoding to send (RFC 9110, 12.5.3). Nothing is compressed unasked; `gzip;q=0` means no gzip. Where all that we have is
 * refused (`identity;q=0` alone), the bytes go as they are: such a header may be disregarded. `*` alone names nothing that its sender
 * can read, and STAC's own programs send it that read no encoding at all: they get the bytes as they are.
 */
export function chooseEncoding(header: string | readonly string[] | undefined): Encoding {
  if (header === undefined || header === '' || header === 'identity' || header === '*') return 'identity';
  const weights = weightsOf(typeof header === 'string' ? header : header.join(','));
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

function weightsOf(header: string): Map<string, number> {
  const weights = new Map<string, number>();
  for (const part of header.split(',')) {
    const [name = '', ...parameters] = part.split(';').map((each) => each.trim());
    if (name !== '') weights.set(name.toLowerCase(), weightOf(parameters));
  }
  return weights;
}

// A weight that cannot be read counts as a refusal: uncompressed bytes are right for everybody.
function weightOf([parameter]: readonly string[]): number {
  if (parameter === undefined) return 1;
  const [, text] = WEIGHT.exec(parameter) ?? [];
  return text === undefined ? 0 : Number(text);
}
