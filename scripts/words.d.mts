/** Refused word of a text. */
export interface RefusedWord {
  readonly line: number;
  readonly word: string;
  readonly why: string;
  readonly better: string;
}
/** Refused words of a text, each with line, reason and a better word. */
export function refusedWords(text: string): readonly RefusedWord[];
/** Reason why a commit title is refused; undefined if it is accepted. */
export function titleFault(title: string): string | undefined;
