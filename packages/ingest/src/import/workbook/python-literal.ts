/** A value that a Python literal stands for. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal };

const MOST_DEPTH = 20;
const WORDS: Readonly<Record<string, Literal>> = {
  None: null,
  nan: null,
  inf: null,
  True: true,
  False: false,
  null: null,
  true: true,
  false: false,
};
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '\0' };
const NUMBER = /^[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/;
const WORD = /^-?[A-Za-z]+/;

/**
 * Reads what a cell holds that went through a spreadsheet as Python wrote it: `[12, 15]`, `{12: {'area_intersect': 3.1}}`; JSON is read
 * too. Keys become texts, tuples and sets lists, `nan` and `inf` null. Nothing is evaluated. Throws SyntaxError for anything else.
 */
export function parseLiteral(text: string): Literal {
  const reader = new Reader(text);
  const value = reader.value(0);
  reader.end();
  return value;
}

class Reader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(depth: number): Literal {
    if (depth > MOST_DEPTH) throw new SyntaxError('it has lists within lists too deep');
    const sign = this.#peek();
    if (sign === '[') return this.#list(']', depth);
    if (sign === '(') return this.#list(')', depth);
    if (sign === '{') return this.#braces(depth);
    if (sign === "'" || sign === '"') return this.#quoted(sign);
    return this.#scalar();
  }

  end(): void {
    if (this.#peek() !== '') throw this.#odd();
  }

  /** The next sign that is no blank; '' at the end. */
  #peek(): string {
    while (/\s/.test(this.#text[this.#at] ?? '')) this.#at += 1;
    return this.#text[this.#at] ?? '';
  }

  #odd(): SyntaxError {
    return new SyntaxError(`it cannot be read at character ${this.#at + 1}`);
  }

  /** Passes a sign if it comes next. */
  #passes(sign: string): boolean {
    const comes = this.#peek() === sign;
    if (comes) this.#at += 1;
    return comes;
  }

  #list(end: string, depth: number): readonly Literal[] {
    this.#at += 1;
    const values: Literal[] = [];
    while (!this.#passes(end)) {
      values.push(this.value(depth + 1));
      if (!this.#passes(',') && this.#peek() !== end) throw this.#odd();
    }
    return values;
  }

  /** An object, or a set where its first value has no colon. */
  #braces(depth: number): Literal {
    this.#at += 1;
    const [entries, values]: [(readonly [string, Literal])[], Literal[]] = [[], []];
    while (!this.#passes('}')) {
      const value = this.value(depth + 1);
      if (this.#passes(':')) entries.push([keyOf(value), this.value(depth + 1)]);
      else values.push(value);
      if (!this.#passes(',') && this.#peek() !== '}') throw this.#odd();
    }
    if (entries.length > 0 && values.length > 0) throw this.#odd();
    return values.length > 0 ? values : Object.fromEntries(entries);
  }

  #quoted(quote: string): string {
    const parts: string[] = [];
    for (this.#at += 1; this.#at < this.#text.length; this.#at += 1) {
      const sign = this.#text[this.#at] ?? '';
      if (sign === quote) {
        this.#at += 1;
        return parts.join('');
      }
      if (sign === '\\') parts.push(this.#escaped());
      else parts.push(sign);
    }
    throw new SyntaxError('a text in it has no end');
  }

  #escaped(): string {
    this.#at += 1;
    const sign = this.#text[this.#at] ?? '';
    const digits = { x: 2, u: 4 }[sign];
    if (digits === undefined) return ESCAPES[sign] ?? sign;
    const code = this.#text.slice(this.#at + 1, this.#at + 1 + digits);
    if (!/^[0-9a-fA-F]+$/.test(code) || code.length < digits) throw this.#odd();
    this.#at += digits;
    return String.fromCharCode(Number.parseInt(code, 16));
  }

  #scalar(): Literal {
    const rest = this.#text.slice(this.#at, this.#at + 100);
    const word = WORD.exec(rest)?.[0];
    const known = word?.replace(/^-/, '') ?? '';
    if (word !== undefined && Object.hasOwn(WORDS, known)) {
      this.#at += word.length;
      return WORDS[known] ?? null;
    }
    const digits = NUMBER.exec(rest)?.[0];
    if (digits === undefined) throw this.#odd();
    this.#at += digits.length;
    const value = Number(digits.replaceAll('_', ''));
    return Number.isFinite(value) ? value : null;
  }
}

function keyOf(value: Literal): string {
  if (typeof value === 'object' && value !== null) throw new SyntaxError('a key in it is no text and no number');
  return String(value);
}
