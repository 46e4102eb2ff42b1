import { DomainError } from '@headwater/core';
import { isObject, isStorable } from '@headwater/core/values';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';

/**
 * Maximum nesting depth, because much deeper values would overflow the stack. The deepest allowed CQL2 filter has about
 * 140 levels.
 */
const DEEPEST = 200;

/** Returns the value. Throws `parse` if the value is nested too deeply. */
export function refuseDeep(root: unknown): unknown {
  // A recursive function could itself overflow the stack.
  let level = [root].filter(isParent);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === DEEPEST) throw new DomainError('parse', sentences.unreadable('JSON', sentences.tooDeep(DEEPEST)));
    level = level.flatMap((parent): object[] => Object.values(parent).filter(isParent));
  }
  return root;
}

function isParent(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

const UTF8 = new TextDecoder('utf-8', { fatal: true });
const JSON_TYPE = /^application\/(?:[\w.-]+\+)?json$/;

const UNSTORABLE = 'text holds a NUL or a lone surrogate, which cannot be stored; remove it';

/** True for the media types of JSON, and for a missing type (RFC 9110, 8.3). */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type === '' || JSON_TYPE.test(type);
}

/** Decodes the bytes of a body. Throws `parse` for bytes that are not UTF-8. */
export function decodeText(bytes: Uint8Array, kind: 'JSON' | 'Form'): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new DomainError('parse', sentences.unreadable(kind, 'the body is not UTF-8; send it in UTF-8'));
  }
}

/**
 * Parses JSON. Throws `parse` for malformed or too deeply nested JSON, `validation` for a text that cannot be stored.
 */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('parse', sentences.unreadable('JSON', error instanceof Error ? error.message : 'malformed'));
  }
  // A shorter text has too few brackets for this depth.
  if (text.length > 2 * DEEPEST) refuseDeep(value);
  // Parsed JSON can contain NUL and lone surrogates only from escapes (`\u`), so other texts need no check.
  return text.includes('\\u') ? refuseUnstorable(value) : value;
}

/**
 * Returns the value. Throws `validation` if a member contains a text that cannot be stored (NUL, lone surrogate).
 * Throws `parse` if such a text is the name of a member, or is in a root that is no object.
 */
export function refuseUnstorable(root: unknown): unknown {
  if (!isObject(root)) {
    if (!isStorableThrough(root)) throw unstorable();
    return root;
  }
  for (const [name, value] of Object.entries(root)) {
    if (!isStorable(name)) throw unstorable();
    if (!isStorableThrough(value)) throw badMember(name, sentences.notStorableText);
  }
  return root;
}

const unstorable = (): DomainError => new DomainError('parse', sentences.unreadable('JSON', UNSTORABLE));

function isStorableThrough(root: unknown): boolean {
  const stack: unknown[] = [root];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string' && !isStorable(value)) return false;
    if (typeof value === 'object' && value !== null)
      for (const entry of Object.entries(value)) stack.push(entry[0], entry[1]);
  }
  return true;
}
