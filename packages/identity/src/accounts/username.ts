/**
 * NFKC form of a user name, in which names are stored. The form is the same for composed and decomposed characters, and
 * for full-width and half-width characters.
 */
export function normalizedUsername(username: string): string {
  return username.normalize('NFKC');
}

/** Key of a user name: its NFKC form in lower case. Names with the same key belong to the same account. */
export function usernameKey(username: string): string {
  return normalizedUsername(normalizedUsername(username).toLowerCase());
}

/**
 * Scripts of letters in names. If a language of East Asia is written in several scripts, these scripts are one entry.
 */
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
 * True if a name has letters of several scripts, such as a Cyrillic letter that looks like a Latin letter. All
 * scripts that are not in `SCRIPTS` count as one script.
 */
export function mixesScripts(username: string): boolean {
  const letters = [...normalizedUsername(username)].filter((character) => /\p{L}/u.test(character));
  return new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter)))).size > 1;
}
