/** Control and format characters, line and paragraph separators, and unassigned code points of Unicode. */
const CONTROL_CHARACTERS = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Zero-width joiners, which Indian scripts need; they are harmless in a terminal. */
const JOINERS = /[\u200c\u200d]/gu;

/** True if a text has characters that could break a line, or reverse or hide the following text. */
export function hasControlCharacters(text: string): boolean {
  return text.replace(JOINERS, '').search(CONTROL_CHARACTERS) >= 0;
}

/** Replaces each character that could control a terminal, break a line, or reverse or hide the following text. */
export function replaceControlCharacters(text: string, replacement: (character: string) => string): string {
  return text.replace(CONTROL_CHARACTERS, replacement);
}
