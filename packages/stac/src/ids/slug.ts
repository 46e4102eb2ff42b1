import { StacError } from '../errors.ts';

/** Characters that a path or id part may hold after slugging; no '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * A name as a part of ids and paths: lower-cased, characters outside `[A-Za-z0-9 .,:;_-]` dropped, each blank made `_`.
 * Idempotent. Throws `StacError` when nothing is left or only dots are (`..` would climb out of a path).
 * Check names against the directory first: slugging drops `../`, quotes and NUL, so `../x` and `x` become equal.
 */
export function idSlug(text: string): string {
  const part = text
    .toLowerCase()
    .replace(/[^a-z0-9 .,:;_-]/g, '')
    .replaceAll(' ', '_');
  if (part === '' || ONLY_DOTS.test(part)) {
    throw new StacError(
      `slug: ${JSON.stringify(text)} has no character that an id may hold; give the name in Latin letters`,
    );
  }
  return part;
}

/** True for a text that `idSlug` would return unchanged. */
export function isSlug(text: string): boolean {
  return SAFE.test(text) && !ONLY_DOTS.test(text);
}

/**
 * A name as a part of the map server's layer names: as in ids, but dots are dropped too. Nothing is collapsed:
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
 * A name as it is compared with others: as in layer names, runs of `_` collapsed and `_` at the ends trimmed, so that
 * 'West Singhbhum', 'west_singhbhum' and '_WEST  SINGHBHUM' are one. Idempotent; may be empty.
 */
export function placeSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(' ', '_');
  // Most names are letters and single blanks, and each request with a place's names asks for three slugs.
  if (PLAIN.test(plain)) return plain;
  return layerSlug(name).replace(/_+/g, '_').replace(/^_|_$/g, '');
}
