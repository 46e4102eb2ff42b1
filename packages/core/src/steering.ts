/** Controls, characters that format others, ends of lines and paragraphs, and what Unicode assigns to nothing. */
const STEERING = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** The text with another in place of each character that could steer a terminal, break a line, or turn or hide what follows. */
export function withoutSteering(text: string, instead: (character: string) => string): string {
  return text.replace(STEERING, instead);
}
