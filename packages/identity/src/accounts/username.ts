/** NFKC form of a user name, equal for composed and decomposed, full-width and half-width characters. Accounts are stored with it. */
export function normalizedUsername(username: string): string {
  return username.normalize('NFKC');
}

/** Key by which a user name is unique, found and counted: NFKC form, lower case. */
export function usernameKey(username: string): string {
  return normalizedUsername(normalizedUsername(username).toLowerCase());
}

/** Scripts of names; several scripts of East Asia belong to one language. */
const SCRIPTS: readonly RegExp[] = [
  /\p{Script=Latin}/u,
  /\p{Script=Cyrillic}/u,
  /\p{Script=Greek}/u,
  /\p{Script=Arabic}/u,
  /\p{Script=Devanagari}/u,
  /\p{Script=Bengali}/u,
  /\p{Script=Gurmukhi}/u,
  /\p{Script=Gujarati}/u,
  /\p{Script=Oriya}/u,
  /\p{Script=Tamil}/u,
  /\p{Script=Telugu}/u,
  /\p{Script=Kannada}/u,
  /\p{Script=Malayalam}/u,
  /[\p{Script=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{Script=Hangul}]/u,
];

/**
 * True if a name has letters of several scripts, such as a Cyrillic letter that imitates a Latin one. All unlisted
 * scripts count as one script: they may be mixed with each other, but not with a listed script.
 */
export function mixesScripts(username: string): boolean {
  const letters = [...normalizedUsername(username)].filter((character) => /\p{L}/u.test(character));
  return new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter)))).size > 1;
}
