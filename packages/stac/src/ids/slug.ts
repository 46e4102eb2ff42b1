import { StacError } from '../errors.ts';

/** Characters allowed in a slug; no '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * Turns a name into a part of ids and paths. It is lower-cased, characters outside `[A-Za-z0-9 .,:;_-]` are dropped,
 * and each blank becomes `_`. Idempotent. Throws `StacError` if nothing or only dots are left (`..` would leave the
 * folder). Check names against the directory first: slugging drops `../`, quotes and NUL, so `../x` and `x` become
 * equal.
 */
export function idSlug(text: string): string {
  const part = text
    .toLowerCase()
    .replace(/[^a-z0-9 .,:;_-]/g, '')
    .replaceAll(' ', '_');
  if (part === '' || ONLY_DOTS.test(part)) {
    throw new StacError(
      `slug: ${JSON.stringify(text)} has no character that is allowed in an id; give the name in Latin letters`,
    );
  }
  return part;
}

/** True for a text that `idSlug` would return unchanged. */
export function isSlug(text: string): boolean {
  return SAFE.test(text) && !ONLY_DOTS.test(text);
}

/**
 * Turns a name into a part of the map server's layer names: as in ids, but dots are dropped too. Nothing is collapsed:
 * 'Dadra & Nagar Haveli' -> 'dadra__nagar_haveli'. May be empty.
 */
export function layerSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9 ,:;_-]/g, '')
    .replaceAll(' ', '_');
}

const PLAIN = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/**
 * Turns a name into its form for comparisons. It is as in layer names, with runs of `_` collapsed and `_` at the ends
 * trimmed, so that 'West Singhbhum', 'west_singhbhum' and '_WEST  SINGHBHUM' are equal. Idempotent; may be empty.
 */
export function placeSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(' ', '_');
  // A fast path: most names are letters and single blanks, and each request with place names computes three slugs.
  if (PLAIN.test(plain)) return plain;
  return layerSlug(name).replace(/_+/g, '_').replace(/^_|_$/g, '');
}
