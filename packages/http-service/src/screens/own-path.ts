/** Longest path to return to, characters. */
const MAX_LENGTH = 2000;
/** Base that no address of a request can have. */
const BASE = 'http://own.invalid';

/**
 * The path of a page of this service to which a sign-in may return, normalized; undefined for any other text: another site
 * (`//site`, `/\site`, `https:`), a path outside of the mount prefix, control characters.
 */
export function ownPath(text: string, prefix: string): string | undefined {
  // Browsers skip tabs and line breaks in addresses, and read a backslash as a slash.
  if (text.length > MAX_LENGTH || !/^\/[^\\\p{C}\p{Z}]*$/u.test(text) || !URL.canParse(text, BASE)) return undefined;
  const { origin, pathname, search, hash } = new URL(text, BASE);
  // `/.//site` becomes `//site`.
  const isOwn = origin === BASE && pathname.startsWith(`${prefix}/`) && !pathname.startsWith('//');
  return isOwn ? pathname + search + hash : undefined;
}
