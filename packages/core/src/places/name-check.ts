import { fieldError, invalidField } from '../errors.ts';
import { isStorable } from '../storable-text.ts';

const MAX_LENGTH = 200;

/** Matches most valid names, faster than a pattern with Unicode classes. */
const ASCII = /^[A-Za-z0-9 _().&,:;-]+$/;

/**
 * Returns true if the text has only letters, digits, blanks and `_ ( ) . - & , : ;`, and is not a path. Without this
 * check, `../cachar` would find Cachar.
 */
export function isPlainPlaceName(text: string): boolean {
  const isOfNames = ASCII.test(text) || /^[\p{L}\p{M}\p{N} _().&,:;-]+$/u.test(text);
  return isOfNames && !(text.startsWith('.') || text.includes('..'));
}

/** Throws `validation` with the field if the text cannot be a place's name. */
export function checkPlaceName(field: string, text: string): void {
  if (text.trim() === '') throw invalidField(field, 'is empty; give the name.', 'blank');
  if (text.length > MAX_LENGTH) {
    const message = `has ${text.length} characters; a place's name has at most ${MAX_LENGTH}.`;
    throw fieldError('validation', { [field]: [{ rule: 'too_long', message, limit: MAX_LENGTH }] });
  }
  if (!isStorable(text) || /\p{Cc}/u.test(text)) {
    throw invalidField(field, 'has control characters; give the name as text.', 'not_text');
  }
}
