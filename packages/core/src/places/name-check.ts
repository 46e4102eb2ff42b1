import { invalidField } from '../errors.ts';

const LONGEST = 200;

/**
 * True for text of letters, digits, blanks and `_ ( ) . - & , : ;` that is no path. Slugging drops every other character,
 * so it must be refused first: otherwise `../cachar` would find Cachar.
 */
export function isPlainPlaceName(text: string): boolean {
  return /^[\p{L}\p{M}\p{N} _().&,:;-]+$/u.test(text) && !/^\.|\.\./.test(text);
}

/** Throws `validation` naming the wire field when the text cannot be a place's name. */
export function checkPlaceName(field: string, text: string): void {
  if (text.trim() === '') throw invalidField(field, 'This field may not be blank.');
  if (text.length > LONGEST)
    throw invalidField(field, `has ${text.length} characters; a place's name has at most ${LONGEST}.`);
  if (!text.isWellFormed() || /\p{Cc}/u.test(text))
    throw invalidField(field, 'has control characters; give the name as text.');
}
