import { StacError } from '../errors.ts';

/** Characters of a slug: no '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * Slug of a name: lower case, `_` for blanks, only `[a-z0-9.,:;_-]`. Different names, such as `a/x` and `ax`, may
 * have equal slugs; the caller must prevent this.
 */
export function idSlug(text: string): string {
  const part = text
    .toLowerCase()
    .replace(/[^a-z0-9 .,:;_-]/g, '')
    .replaceAll(' ', '_');
  if (part === '' || ONLY_DOTS.test(part)) {
    throw new StacError(
      `slug: ${JSON.stringify(text)} has no character that is allowed in an id, or has only dots; give the name in Latin letters`,
    );
  }
  return part;
}

/** True for a text that `idSlug` would not change. */
export function isSlug(text: string): boolean {
  return SAFE.test(text) && !ONLY_DOTS.test(text);
}

/** Slug for layers of the map server, without dots: 'Dadra & Nagar Haveli' -> 'dadra__nagar_haveli'. May be empty. */
export function layerSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9 ,:;_-]/g, '')
    .replaceAll(' ', '_');
}

const PLAIN = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/** Slug for comparisons, without repeated or outer `_`; may be empty. */
export function placeSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(' ', '_');
  // A faster way for most names, because requests call this function often.
  if (PLAIN.test(plain)) return plain;
  return layerSlug(name).replace(/_+/g, '_').replace(/^_|_$/g, '');
}
