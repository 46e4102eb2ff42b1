/** What PyYAML does not read, though newer readers do. */
export interface Refusal {
  readonly problem: string;
  readonly remedy: string;
}

/** Everything but what PyYAML calls printable. */
const UNPRINTABLE = /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** The first character that may stand nowhere, not even in a comment, and where. */
export function unprintableIn(text: string): (Refusal & { readonly at: number }) | undefined {
  const found = UNPRINTABLE.exec(text);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    at: found.index,
    problem: `has the character U+${code}, which the generator refuses`,
    remedy: 'leave it out',
  };
}

/** The same lines, each ended as the reader here knows it: PyYAML ends one at a carriage return or a next-line character too. */
export const withPlainLineEnds = (text: string): string => text.replaceAll(/\r\n?|\u0085/g, '\n');

/** Says of each lexeme, in their order, why PyYAML would not take it. */
export class LexemeCheck {
  #isScalar = false;
  #isBlock = false;

  next(lexeme: string): Refusal | undefined {
    // The sign before a scalar that is not quoted.
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
      problem: 'has a tab where the generator takes blanks only',
      remedy: 'write blanks, or quote the text that has it',
    };
  if (kind === 'other' && /^[&*]/.test(lexeme) && !/^[&*][\w-]+$/.test(lexeme))
    return {
      problem: 'has an anchor of other characters than the generator knows',
      remedy: 'call it by A-Z, a-z, 0-9, "_" and "-"',
    };
  return undefined;
}
