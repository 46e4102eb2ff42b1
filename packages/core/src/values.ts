// `@headwater/core/values`: checks, digests and formats of texts and numbers.
export { isObject } from '@headwater/stac';
export { fieldSummary, type FieldRule } from './field-problems.ts';
export { editDistance, similarity } from './places/edit-distance.ts';
export { sha256 } from './sha256.ts';
export { isStorable, storableText } from './storable-text.ts';

/** Option `mem` of fflate's `ZipDeflate`. The default would use 2 MB of memory for each file. */
export const ZIP_MEMORY = 4;

const CONTROL_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Zero-width joiners, which Indian scripts need and which are harmless in a terminal. */
const JOINERS = /[\u200c\u200d]/gu;

/** True if a text has characters that could break a line, or reverse or hide text. */
export function hasControlCharacters(text: string): boolean {
  return text.replace(JOINERS, '').search(CONTROL_CHARACTERS) >= 0;
}

/** Replaces characters that could control a terminal, or break, reverse or hide text. Also replaces joiners. */
export function replaceControlCharacters(text: string, replacement: (character: string) => string): string {
  return text.replace(CONTROL_CHARACTERS, replacement);
}

/** A number with its noun, such as `1,204 scenes`. Only for plurals that end in s. */
export function countOf(count: number, noun: string): string {
  return `${count.toLocaleString('en')} ${noun}${count === 1 ? '' : 's'}`;
}

const DAY = /^\d{4}-\d{2}-\d{2}$/;

/** True for a valid calendar day in ISO 8601 format, `2017-07-01`. */
export function isIsoDay(text: string): boolean {
  const time = DAY.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

/** True if at least half of an area was seen in a year. If not, callers return null for each figure of the year. */
export const isMostlySeen = (unseen: number, all: number): boolean => 2 * unseen <= all;

/** Percentage of a part in the whole, rounded to four decimals; 0 if the whole is 0. */
export const percentOf = (part: number, all: number): number => (all === 0 ? 0 : Math.round((1e6 * part) / all) / 1e4);

/** Removes the oldest entries of a map until it has at most `most`. */
export function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return;
    map.delete(key);
  }
}

/** At most `most` members of a list, spread evenly over the list. */
export function spreadSample<T>(list: readonly T[], most: number): readonly T[] {
  const step = Math.max(1, list.length / most);
  return list.filter((_, index) => Math.floor(index / step) !== Math.floor((index - 1) / step));
}
