/**
 * First code point of the Indic scripts. In Unicode, each of Devanagari, Bengali, Gurmukhi, Gujarati, Odia, Tamil, Telugu, Kannada and
 * Malayalam has a block of 128 code points. The letters of all these blocks are in the same order (ISCII). So one table, indexed by the
 * position in the block, is enough for all these scripts. The spelling is Hunterian, as on Indian maps, without marks.
 */
const FIRST_BLOCK = 0x0900;
const LAST = 0x0d7f;
/** Last code point of the blocks (up to Gujarati) whose languages have silent vowels: see `withoutSilentVowels`. */
const LAST_SILENT = 0x0aff;

const CONSONANTS = 'k kh g gh n ch chh j jh n t th d dh n t th d dh n n p ph b bh m y r r l l l v sh sh s h'.split(' ');
const FIRST_CONSONANT = 0x15;
/** Spellings of independent vowels (0x05-0x14) and of vowel signs (0x3e-0x4c). */
const VOWELS = 'a a i i u u ri li e e e ai o o o au'.split(' ');
const SIGNS = 'a i i u u ri ri e e e ai o o o au'.split(' ');
const [FIRST_VOWEL, FIRST_SIGN] = [0x05, 0x3e];
const [NUKTA, VIRAMA] = [0x3c, 0x4d];
/**
 * Spellings of candrabindu, anusvara, visarga, and tippi of Gurmukhi. `~` becomes m before p, b and m, and at the end of a word in
 * scripts without silent vowels; otherwise n.
 */
const MARKS: Readonly<Record<number, string>> = { 0x01: 'n', 0x02: '~', 0x03: 'h', 0x70: '~' };

/** A sound; `schwa` is the unwritten vowel of a consonant, which may be silent. */
interface Sound {
  text: string;
  readonly kind: 'consonant' | 'vowel' | 'schwa' | 'other';
}

/** True for a name that has letters, but no letter a-z. The slug of such a name would be empty or only a number. */
export const needsLatin = (name: string): boolean => /\p{L}/u.test(name) && !/[a-z]/i.test(name);

/** Converts a name to Latin letters, each word capitalised; returns an empty text if a letter belongs to an unsupported script. */
export function latinName(name: string): string {
  // The text is composed (NFC), because in decomposed text some vowel signs are two characters.
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

/**
 * Applies a nukta (dot below a letter) to the last sound: d and dh become a flapped r. The Hunterian spelling of other letters does not
 * change.
 */
function dotted(sounds: readonly Sound[]): void {
  const consonant = sounds.at(-2);
  if (consonant !== undefined && /^dh?$/.test(consonant.text)) consonant.text = consonant.text.replace('d', 'r');
}

/**
 * Removes unwritten vowels that are silent in Hindi and related languages, so that a name is Jaypur, not Jayapura. First the function
 * removes a final unwritten vowel after a single consonant. Then, from the end of the word to its beginning, the function removes each
 * unwritten vowel between two single consonants if each of these consonants has a vowel on its other side.
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
