import { DomainError } from '@headwater/core';
import { isStorable } from '@headwater/core/values';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';

/** Decodes percent escapes; throws `parse` (400) where they are not UTF-8, instead of replacing characters silently. */
export function decode(text: string, what: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new DomainError('parse', `${what}: malformed percent-encoding; encode text as UTF-8`);
  }
}

/**
 * Query text -> names and values. Brackets have no meaning, so `a[$ne]=1` stays a plain name; a name given twice is
 * refused (400), as is text that cannot be stored. `__proto__` is a name like others.
 */
export function parseQuery(query: string, foldCase: boolean): Record<string, string> {
  // A plain object: one without prototype is a hash table to V8, and slow to make and to validate.
  const result: Record<string, string> = {};
  if (query === '') return result;
  for (const pair of query.split('&')) {
    if (pair === '') continue;
    const at = pair.indexOf('=');
    const name = readPart(at < 0 ? pair : pair.slice(0, at), foldCase);
    const value = at < 0 ? '' : readPart(pair.slice(at + 1), false);
    if (!isStorable(value)) throw badMember(name, sentences.notStorable);
    setOnce(result, name, value);
  }
  return result;
}

/** Sets a field that must not be there yet; throws `validation` where it is. `__proto__` becomes a field of its own. */
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
