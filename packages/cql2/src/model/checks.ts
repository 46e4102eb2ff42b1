import { instantKey, isInUtc } from './instant.ts';
import { type Place, quoted, shown } from './place.ts';

/** Returns the text. Throws for characters that PostgreSQL cannot store. */
export function checkedText(text: string, place: Place): string {
  if (text.isWellFormed() && !text.includes('\0')) return text;
  throw place.error({
    found: `${quoted(text)}, which contains an invalid character`,
    expected: 'a text without U+0000 and without halves of surrogate pairs',
    remedy: 'Remove or replace these characters.',
  });
}

/**
 * Returns the name of a property. Throws for an empty name, for `__proto__`, and for characters that PostgreSQL cannot
 * store.
 */
export function checkedName(name: string, place: Place): string {
  checkedText(name, place);
  if (name !== '' && name !== '__proto__') return name;
  throw place.error({
    found: quoted(name),
    expected: 'the name of a property',
    remedy: 'Use one of the names that the queryables list.',
  });
}

/** Returns a finite number; minus zero becomes zero. Throws for an infinite number and NaN. */
export function checkedNumber(value: number, place: Place): number {
  if (Number.isFinite(value)) return value === 0 ? 0 : value;
  throw place.error({
    found: shown(value),
    expected: 'a finite number',
    remedy:
      'Write a number below 1.8e308. For a range with an open end, use one comparison (< or >) instead of infinity.',
  });
}

/**
 * Returns a LIKE pattern. Throws if a backslash at its end escapes no character, and for characters that PostgreSQL
 * cannot store.
 */
export function checkedPattern(pattern: string, place: Place): string {
  checkedText(pattern, place);
  if (backslashesAtEnd(pattern) % 2 === 0) return pattern;
  throw place.error({
    found: `${quoted(pattern)}, which ends in one backslash`,
    expected: 'a character after each backslash',
    remedy: 'Write two backslashes for a backslash itself.',
  });
}

/** Counts backslashes in a loop, because the regular expression `/\\+$/` would take quadratic time. */
function backslashesAtEnd(pattern: string): number {
  let start = pattern.length;
  while (pattern[start - 1] === '\\') start--;
  return pattern.length - start;
}

/** Returns the text of a timestamp or a day. Throws for an invalid text and for other zones than UTC. */
export function checkedInstant(kind: 'timestamp' | 'date', text: unknown, place: Place): string {
  if (typeof text === 'string' && instantKey(text, kind) !== undefined && isInUtc(text)) return text;
  const example = kind === 'date' ? '2020-01-31' : '2020-01-31T10:00:00Z';
  throw place.error({
    found: shown(text),
    expected: kind === 'date' ? `a day of the calendar (${example})` : `a timestamp in UTC (${example})`,
    remedy: `Write it as ${example}, with a year from 0001 to 9999${kind === 'date' ? '' : ' and the letter Z'}.`,
  });
}

/** Returns an end of an interval: a timestamp, a day, or `..`. Throws for anything else. */
export function checkedEnd(text: unknown, place: Place): string {
  if (typeof text === 'string' && (text === '..' || (instantKey(text) !== undefined && isInUtc(text)))) return text;
  throw place.error({
    found: shown(text),
    expected: "a timestamp in UTC, a day, '..' or a property",
    remedy: 'Write 2020-01-31T10:00:00Z, 2020-01-31, or .. for an open end.',
  });
}
