import { StacError } from '../errors.ts';

/** Characters allowed in a slug; no '/', no blank. */
const SAFE = /^[a-z0-9.,:;_-]+$/;
const ONLY_DOTS = /^\.+$/;

/**
 * Turns a name into a part of ids and paths. Letters become lower case, characters outside of `[A-Za-z0-9 .,:;_-]`
 * are removed, and each blank becomes `_`. A second call changes nothing. Throws `StacError` if the result is empty
 * or only dots, because `..` would lead out of the folder. Before you call this function, check that the name is in
 * the list of known places: the function removes `../`, quotes and NUL, so that `../x` and `x` become equal.
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
 * Turns a name into a part of the map server's layer names. The rules are those of `idSlug`, but dots are also removed:
 * 'Dadra & Nagar Haveli' -> 'dadra__nagar_haveli'. Repeated `_` stay. The result may be empty.
 */
export function layerSlug(name: string): string {
  return name
    .toLowerCase()
    .replace(/[^a-z0-9 ,:;_-]/g, '')
    .replaceAll(' ', '_');
}

const PLAIN = /^[a-z0-9]+(?:_[a-z0-9]+)*$/;

/**
 * Turns a name into a form for comparisons. The form is the result of `layerSlug`, in which several `_` in a row become one `_`, and `_` at
 * the ends are removed. So 'West Singhbhum', 'west_singhbhum' and '_WEST  SINGHBHUM' are equal. A second call changes nothing; the result
 * may be empty.
 */
export function placeSlug(name: string): string {
  const plain = name.toLowerCase().replaceAll(' ', '_');
  // Most names contain only letters, digits and single blanks, for which the next line is a faster way. Speed matters,
  // because a request with place names calls this function at least three times.
  if (PLAIN.test(plain)) return plain;
  return layerSlug(name).replace(/_+/g, '_').replace(/^_|_$/g, '');
}
