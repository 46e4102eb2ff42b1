/** Controls, characters that format others, ends of lines and paragraphs, and what Unicode assigns to nothing. */
const STEERING = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** Joiners, which words of Indian scripts are spelled with; they turn and hide nothing. */
const JOINERS = /[\u200c\u200d]/gu;

/** Whether a text has characters that could break a line, or turn or hide what follows. */
export function hasControlCharacters(text: string): boolean {
  return text.replace(JOINERS, '').search(STEERING) >= 0;
}

/** The text with another in place of each character that could steer a terminal, break a line, or turn or hide what follows. */
export function replaceControlCharacters(text: string, instead: (character: string) => string): string {
  return text.replace(STEERING, instead);
}
