/**
 * First code point of the Indic scripts. Each script has a block of 128 code points, with the letters in the
 * same order (ISCII). The Latin spelling is Hunterian, as on Indian maps.
 */
const FIRST_BLOCK = 0x0900;
const LAST = 0x0d7f;
/** Last code point of the blocks (up to Gujarati) whose languages have silent vowels. */
const LAST_SILENT = 0x0aff;

const CONSONANTS = 'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'.split(' ');
const FIRST_CONSONANT = 0x15;
/** Spellings of independent vowels (0x05-0x14) and of vowel signs (0x3e-0x4c). */
const VOWELS = 'a a i i u u ri li e e e ai o o o au'.split(' ');
const SIGNS = 'a i i u u ri ri e e e ai o o o au'.split(' ');
const [FIRST_VOWEL, FIRST_SIGN] = [0x05, 0x3e];
const [NUKTA, VIRAMA] = [0x3c, 0x4d];
/** Candrabindu, anusvara, visarga, and tippi of Gurmukhi. `~` becomes m or n. */
const MARKS: Readonly<Record<number, string>> = { 0x01: 'n', 0x02: '~', 0x03: 'h', 0x70: '~' };

/** A sound; `schwa` is the unwritten vowel of a consonant, which may be silent. */
interface Sound {
  text: string;
  readonly kind: 'consonant' | 'vowel' | 'schwa' | 'other';
}

/** Returns true for a name with letters but without a-z, whose slug would have no letters. */
export const needsLatin = (name: string): boolean => /\p{L}/u.test(name) && !/[a-z]/i.test(name);

/** Converts a name to capitalised Latin words; empty if a letter belongs to an unsupported script. */
export function latinName(name: string): string {
  // The name is composed (NFC), because some decomposed vowel signs are two characters.
  const words = name
    .normalize('NFC')
    .split(/([^\p{L}\p{M}]+)/u)
    .map(latinWord);
  return words.some((word) => word === undefined) ? '' : words.join('');
}

function latinWord(word: string): string | undefined {
  const sounds = soundsOf(word);
  if (sounds === undefined) return undefined;
  const isSilent = isSilentScript(word);
  const spelt = (isSilent ? withoutSilentVowels(sounds) : sounds).map((sound) => sound.text).join('');
  const text = spelt.replace(isSilent ? /~(?=[pbm])/g : /~(?=[pbm]|$)/g, 'm').replaceAll('~', 'n');
  return /[a-z]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

const isSilentScript = (word: string): boolean =>
  [...word].some((char) => (char.codePointAt(0) ?? 0) >= FIRST_BLOCK) &&
  [...word].every((char) => (char.codePointAt(0) ?? 0) <= LAST_SILENT);

function soundsOf(word: string): Sound[] | undefined {
  const sounds: Sound[] = [];
  for (const char of word) {
    const code = char.codePointAt(0) ?? 0;
    if (code >= FIRST_BLOCK && code <= LAST) addIndic(sounds, code & 0x7f);
    else if (/^[\p{Script=Latin}\p{N}\p{P}\p{S}\s]$/u.test(char))
      sounds.push({ text: withoutMarks(char), kind: 'other' });
    else return undefined;
  }
  return sounds;
}

const withoutMarks = (char: string): string => char.normalize('NFD').replace(/[\u0300-\u036F]/g, '');

function addIndic(sounds: Sound[], place: number): void {
  const consonant = CONSONANTS[place - FIRST_CONSONANT];
  const vowel = VOWELS[place - FIRST_VOWEL];
  const sign = SIGNS[place - FIRST_SIGN];
  if (consonant !== undefined) sounds.push({ text: consonant, kind: 'consonant' }, { text: 'a', kind: 'schwa' });
  else if (vowel !== undefined) sounds.push({ text: vowel, kind: 'vowel' });
  else if (sign !== undefined) replaceSchwa(sounds, { text: sign, kind: 'vowel' });
  else if (place === VIRAMA) replaceSchwa(sounds);
  else if (place === NUKTA) dotted(sounds);
  else if (MARKS[place] !== undefined) sounds.push({ text: MARKS[place], kind: 'consonant' });
  else if (place >= 0x66 && place <= 0x6f) sounds.push({ text: String(place - 0x66), kind: 'other' });
}

function replaceSchwa(sounds: Sound[], by?: Sound): void {
  if (sounds.at(-1)?.kind === 'schwa') sounds.pop();
  if (by !== undefined) sounds.push(by);
}

/** A nukta (dot below a letter) changes only d and dh, to a flapped r. */
function dotted(sounds: readonly Sound[]): void {
  const consonant = sounds.at(-2);
  if (consonant !== undefined && /^dh?$/.test(consonant.text)) consonant.text = consonant.text.replace('d', 'r');
}

/**
 * Removes each `schwa` that is silent in Hindi: Jaypur, not Jayapura. First removes a `schwa` at the end
 * that follows a vowel and a consonant. Then, from the end to the start, removes the `schwa` of each
 * sequence vowel, consonant, `schwa`, consonant, vowel. A `schwa` counts as a vowel here, too.
 */
function withoutSilentVowels(sounds: readonly Sound[]): readonly Sound[] {
  const result = [...sounds];
  const is = (at: number, ...kinds: readonly Sound['kind'][]): boolean => kinds.includes(result[at]?.kind ?? 'other');
  const isSpoken = (at: number): boolean => is(at, 'vowel', 'schwa');
  const last = result.length - 1;
  if (is(last, 'schwa') && is(last - 1, 'consonant') && isSpoken(last - 2)) result.pop();
  for (let at = result.length - 3; at > 1; at--) {
    const before = is(at - 1, 'consonant') && isSpoken(at - 2);
    if (is(at, 'schwa') && before && is(at + 1, 'consonant') && isSpoken(at + 2)) result.splice(at, 1);
  }
  return result;
}
