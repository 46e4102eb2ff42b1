import { replaceControlCharacters } from '@headwater/core/values';
import pino from 'pino';

/**
 * Maximum length of a text in a log line, UTF-16 code units. A shortened text ends with the number of omitted units.
 */
export const LONGEST_TEXT = 4000;
const MOST_MEMBERS = 50;
const DEEPEST = 6;

/** Shortens a text to `LONGEST_TEXT`, because clients may send paths and names of any length. */
export function shortened(text: string): string {
  if (text.length <= LONGEST_TEXT) return text;
  return `${text.slice(0, LONGEST_TEXT).toWellFormed()}… (${text.length - LONGEST_TEXT} more)`;
}

/** Returns the fields with shortened texts and lists, and with limited nesting. Errors become plain objects. */
export function boundedFields(fields: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const bounded: Record<string, unknown> = {};
  let remaining = MOST_MEMBERS;
  for (const name in fields) {
    if (remaining === 0) break;
    remaining -= 1;
    bounded[shortened(name)] = boundedValue(fields[name], DEEPEST);
  }
  return bounded;
}

function boundedValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return shortened(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (depth === 0) return '…';
  if (value instanceof Error) return boundedObject(pino.stdSerializers.errWithCause(value), depth);
  if (Array.isArray(value)) return value.slice(0, MOST_MEMBERS).map((each) => boundedValue(each, depth - 1));
  if ('toJSON' in value && typeof value.toJSON === 'function') return boundedValue(value.toJSON(), depth - 1);
  return boundedObject(value, depth);
}

function boundedObject(value: object, depth: number): Record<string, unknown> {
  const members = Object.entries(value).slice(0, MOST_MEMBERS);
  return Object.fromEntries(members.map(([name, each]) => [shortened(name), boundedValue(each, depth - 1)]));
}

/** Replaces control characters by `\u` escapes, which JSON reads as the same characters. */
export function escaped(text: string): string {
  return replaceControlCharacters(text, (character) => character.split('').map(escapedUnit).join(''));
}

const escapedUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`;
