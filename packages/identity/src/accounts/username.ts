/** NFKC form, in which user names are stored. Equal for composed, decomposed, full-width and half-width characters. */
export function normalizedUsername(username: string): string {
  return username.normalize('NFKC');
}

/** Key of a user name: its NFKC form in lower case, unique for each account. */
export function usernameKey(username: string): string {
  return normalizedUsername(normalizedUsername(username).toLowerCase());
}

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
 * True for letters of several scripts, such as a Cyrillic letter that looks Latin. Scripts that are not in `SCRIPTS`
 * count as one.
 */
export function mixesScripts(username: string): boolean {
  const letters = [...normalizedUsername(username)].filter((character) => /\p{L}/u.test(character));
  return new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter)))).size > 1;
}
