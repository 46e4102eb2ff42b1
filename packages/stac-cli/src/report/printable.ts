/** Control characters, and those that turn the direction of text or break its lines: a terminal obeys them, it does not show them. */
const UNPRINTABLE = /[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu;

/** A line with characters that a terminal would obey written as `\u001b`: documents are other people's. */
export function printable(line: string): string {
  return line.replace(UNPRINTABLE, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`);
}
