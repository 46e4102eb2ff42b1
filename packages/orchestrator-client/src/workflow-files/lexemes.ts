/** A construct that PyYAML rejects although newer readers accept it. */
export interface Refusal {
  readonly problem: string;
  readonly remedy: string;
}

/** All characters that PyYAML does not call printable. */
const UNPRINTABLE = /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** Finds the first character that is not allowed anywhere in a file, even in a comment. */
export function unprintableIn(text: string): (Refusal & { readonly at: number }) | undefined {
  const found = UNPRINTABLE.exec(text);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    at: found.index,
    problem: `has the character U+${code}, which the generator rejects`,
    remedy: 'remove it',
  };
}

/** Normalizes line ends for the reader used here: PyYAML also ends a line at a carriage return or next-line character. */
export const withPlainLineEnds = (text: string): string => text.replaceAll(/\r\n?|\u0085/g, '\n');

/** Checks each lexeme, in order, for constructs that PyYAML rejects. */
export class LexemeCheck {
  #isScalar = false;
  #isBlock = false;

  next(lexeme: string): Refusal | undefined {
    // The lexer marks an unquoted scalar with this character.
    if (lexeme === '\u{1f}') {
      this.#isScalar = true;
      return undefined;
    }
    const [isScalar, isBlock] = [this.#isScalar, this.#isScalar && this.#isBlock];
    this.#isScalar = false;
    if (/^[|>]/.test(lexeme)) this.#isBlock = true;
    else if (isScalar) this.#isBlock = false;
    return refusalOf(lexeme, isBlock ? 'block' : isScalar ? 'plain' : 'other');
  }
}

function refusalOf(lexeme: string, kind: 'block' | 'plain' | 'other'): Refusal | undefined {
  const isQuoted = kind === 'other' && /^["']/.test(lexeme);
  if (!isQuoted && /[\u2028\u2029]/.test(lexeme))
    return {
      problem: 'has a line end of Unicode (U+2028 or U+2029) outside of quotation marks',
      remedy: 'end the line, or quote the text',
    };
  if (lexeme.includes('\t') && (kind === 'plain' || (kind === 'other' && /^[ \t]+$/.test(lexeme))))
    return {
      problem: 'has a tab where the generator accepts spaces only',
      remedy: 'write spaces, or quote the text that has the tab',
    };
  if (kind === 'other' && /^[&*]/.test(lexeme) && !/^[&*][\w-]+$/.test(lexeme))
    return {
      problem: 'has an anchor with characters that the generator rejects',
      remedy: 'name it with A-Z, a-z, 0-9, "_" and "-"',
    };
  return undefined;
}
