import { StacError } from '../errors.ts';

/** No '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * Slug of a name: lower case, only `[a-z0-9.,:;_-]`, blanks become `_`. Check the name before: `../x` and `x` give
 * equal slugs. Throws `StacError` for an empty result or only dots.
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

/** True for a text that `idSlug` would not change. */
export function isSlug(text: string): boolean {
  return SAFE.test(text) && !ONLY_DOTS.test(text);
}

/**
 * Part of a map layer's name, like `idSlug` without dots: 'Dadra & Nagar Haveli' -> 'dadra__nagar_haveli'. May be
 * empty.
 */
export function layerSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9 ,:;_-]/g, '')
    .replaceAll(' ', '_');
}

const PLAIN = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Form of a name for comparisons: `layerSlug` with single `_`, none at the ends. May be empty. */
export function placeSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(' ', '_');
  // Faster for most names; each request with place names calls this function several times.
  if (PLAIN.test(plain)) return plain;
  return layerSlug(name).replace(/_+/g, '_').replace(/^_|_$/g, '');
}
