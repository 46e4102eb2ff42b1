/** Unicode blocks that contain letters with a case, as first and last code point. */
const CASED = [
  [0x41, 0x5a],
  [0xb5, 0x58f],
  [0x10a0, 0x10ff],
  [0x13a0, 0x13ff],
  [0x1c80, 0x1cbf],
  [0x1e00, 0x1fff],
  [0x2126, 0x2188],
  [0x24b6, 0x24e9],
  [0x2c00, 0x2d2f],
  [0xa640, 0xa69f],
  [0xa720, 0xa7ff],
  [0xab70, 0xabbf],
  [0xff21, 0xff5a],
  [0x10400, 0x104ff],
  [0x10570, 0x105bf],
  [0x10c80, 0x10cff],
  [0x118a0, 0x118df],
  [0x16e40, 0x16e7f],
  [0x1e900, 0x1e943],
] as const;

/**
 * Table of `casei`: `to` has the replacement of each character of `from`. The sharp s (`SHARP_S`) is not in the table,
 * because it becomes two letters.
 */
export interface CaseTable {
  readonly from: string;
  readonly to: string;
}

/** Small and capital sharp s, which equal `ss` if case is ignored. */
export const SHARP_S = ['ß', 'ẞ'] as const;

let table: (CaseTable & { readonly map: ReadonlyMap<string, string> }) | undefined;

/** The table of folded letters, also for `translate` of PostgreSQL. */
export function caseTable(): CaseTable & { readonly map: ReadonlyMap<string, string> } {
  if (table !== undefined) return table;
  const map = new Map<string, string>();
  for (const [first, last] of CASED)
    for (let code = first; code <= last; code++) {
      const letter = String.fromCodePoint(code);
      const folded = foldedLetter(letter);
      if (folded !== letter) map.set(letter, folded);
    }
  table = { map, from: [...map.keys()].join(''), to: [...map.values()].join('') };
  return table;
}

/** Converts a letter to its capital and then to lower case, so that a final sigma equals a sigma. */
function foldedLetter(letter: string): string {
  const capital = letter.toUpperCase();
  const small = ([...capital].length === 1 ? capital : letter).toLowerCase();
  return [...small].length === 1 ? small : letter;
}

/** Folds case for `casei`, with the same rules for all languages. */
export function foldCase(text: string): string {
  const { map } = caseTable();
  const singles = SHARP_S.reduce((whole, letter) => whole.replaceAll(letter, 'ss'), text);
  return Array.from(singles, (letter) => map.get(letter) ?? letter).join('');
}

/** Marks of Latin, Greek and Cyrillic letters, without vowel signs of Indian scripts. */
export const ACCENTS = '[\\u0300-\\u036F\\u1AB0-\\u1AFF\\u1DC0-\\u1DFF\\u20D0-\\u20FF\\uFE20-\\uFE2F]';
const EACH_ACCENT = new RegExp(ACCENTS, 'gu');

/** Folds accents for `accenti`: removes marks on letters. */
export function foldAccents(text: string): string {
  return text.normalize('NFD').replace(EACH_ACCENT, '').normalize('NFC');
}

export function fold(op: 'casei' | 'accenti', text: string): string {
  return op === 'casei' ? foldCase(text) : foldAccents(text);
}
