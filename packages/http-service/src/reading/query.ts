import { DomainError } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';

/** Decodes percent escapes. Throws `parse` for a malformed escape, and if the result is not UTF-8. */
export function decode(text: string, what: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DomainError('parse', `${what}: malformed percent-encoding; encode text as UTF-8`);
  }
}

/**
 * Parses a query; brackets have no meaning. With `foldCase`, names become lower case. Values of a repeated name in
 * `joined` are joined by commas. Throws (400) for another repeated name, for a value that cannot be stored, and for
 * malformed percent-encoding.
 */
export function parseQuery(query: string, foldCase: boolean, joined: readonly string[] = []): Record<string, string> {
  // A plain object, because V8 is slow with objects without prototype.
  const result: Record<string, string> = {};
  if (query === '') return result;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = readPart(at < 0 ? pair : pair.slice(0, at), foldCase);
    const value = at < 0 ? '' : readPart(pair.slice(at + 1), false);
    if (!isStorable(value)) throw badMember(name, sentences.notStorable);
    if (joined.includes(name) && Object.hasOwn(result, name)) result[name] += `,${value}`;
    else setOnce(result, name, value);
  }
  return result;
}

/** Sets a field; `__proto__` becomes an own property. Throws `validation` if the field is already set. */
export function setOnce<T>(fields: Record<string, T>, name: string, value: T): void {
  if (Object.hasOwn(fields, name)) throw badMember(name, sentences.givenTwice);
  if (name === '__proto__')
    Object.defineProperty(fields, name, { value, enumerable: true, configurable: true, writable: true });
  else fields[name] = value;
}

function readPart(part: string, foldCase: boolean): string {
  const text = decode(part.includes('+') ? part.replaceAll('+', ' ') : part, 'query');
  return foldCase ? text.toLowerCase() : text;
}
