import { DomainError } from '@headwater/core';
import { isObject, isStorable } from '@headwater/core/values';
import { badMember } from '../wire/request-error.ts';
import { sentences } from '../wire/sentences.ts';

/** Objects and lists in each other: a filter at its limit has about 140, and what is much deeper exhausts the stack of whoever reads or writes it. */
const DEEPEST = 200;

/** Returns the value, unless its objects and lists are nested deeper than anything that is asked for here: `parse`. */
export function refuseDeep(root: unknown): unknown {
  // Level by level: a walk that calls itself would fail at what it is to find.
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

const UNSTORABLE = 'text holds a NUL or a lone surrogate, which cannot be stored';

/** True for the media types of JSON. No type at all is read as JSON: RFC 9110, 8.3 lets a recipient assume. */
export function isJsonType(type: string): boolean {
  return type === 'application/json' || type === '' || JSON_TYPE.test(type);
}

/** Bytes of a body -> text. Throws `parse` where they are not UTF-8. */
export function decodeText(bytes: Uint8Array, kind: 'JSON' | 'Form'): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new DomainError('parse', sentences.unreadable(kind, 'the body is not UTF-8'));
  }
}

/** Text -> JSON value. Throws `parse` for what is none or is nested too deeply, `validation` for text that cannot be stored. */
export function parseJson(text: string): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    throw new DomainError('parse', sentences.unreadable('JSON', error instanceof Error ? error.message : 'malformed'));
  }
  refuseDeep(value);
  // Raw NUL and raw surrogates cannot get this far (JSON grammar, fatal UTF-8): only escapes can smuggle them in.
  return text.includes('\\u') ? refuseUnstorable(value) : value;
}

/** Returns the value, unless some text in it cannot be stored (NUL, lone surrogate): `validation`, naming the field; `parse` where it has no name. */
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

/** Whether every store takes all texts and names in it. */
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
