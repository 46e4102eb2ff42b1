import { StacError } from '../errors.ts';

/** Characters that a path or id part may hold after slugging; no '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * A path and id part: lower-cased, characters outside `[A-Za-z0-9 .,:;_-]` dropped, each blank made `_`.
 * Idempotent. Throws `StacError` when nothing is left or only dots are (`..` would climb out of a path).
 * Check names against the directory first: slugging drops `../`, quotes and NUL, so `../x` and `x` become equal.
 */
export function slug(text: string): string {
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

/** True for a text that `slug` would return unchanged. */
export function isSlug(text: string): boolean {
  return SAFE.test(text) && !ONLY_DOTS.test(text);
}
