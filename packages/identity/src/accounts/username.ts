/** A user name in the one form (NFKC) of all that look alike to a keyboard: composed or not, of full or half width. Accounts are stored by it. */
export function normalizedUsername(username: string): string {
  return username.normalize('NFKC');
}

/** What a user name is unique, looked up and counted by: its one form without regard to case. */
export function usernameKey(username: string): string {
  return normalizedUsername(normalizedUsername(username).toLowerCase());
}

/** Scripts that names are written in; of East Asia several belong to one language. */
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
 * Whether letters of several scripts stand in a name, as where a Cyrillic letter stands for a Latin one. All scripts that are not listed count as
 * one and the same: two of them may be mixed with each other, none with a listed one.
 */
export function mixesScripts(username: string): boolean {
  const letters = [...normalizedUsername(username)].filter((character) => /\p{L}/u.test(character));
  return new Set(letters.map((letter) => SCRIPTS.findIndex((script) => script.test(letter)))).size > 1;
}
