/** Value of a Python literal. */
export type Literal = string | number | boolean | null | readonly Literal[] | { readonly [key: string]: Literal };

/**
 * Parses Python's `repr` of plain data, nested at most 200 levels deep; bytes become texts, tuples become lists.
 * Undefined for other text, such as `<object at 0x...>`.
 */
export function parseRepr(text: string): { readonly value: Literal } | undefined {
  try {
    return { value: read(text, 'repr') };
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Parses a spreadsheet cell in Python or JSON, such as `{12: {'area_intersect': 3.1}}`, at most 20 levels deep. Keys
 * become texts, tuples and sets become lists, and `nan` and `inf` become null. Throws SyntaxError for other text.
 */
export const parseCell = (text: string): Literal => read(text, 'cell');

type Dialect = 'repr' | 'cell';

function read(text: string, dialect: Dialect): Literal {
  const reader = new Reader(text, dialect);
  const value = reader.value(0);
  reader.end();
  return value;
}

const MOST_DEPTH = { repr: 200, cell: 20 } as const;
const PYTHON_WORDS: readonly (readonly [string, Literal])[] = [
  ['None', null],
  ['True', true],
  ['False', false],
  ['inf', Number.POSITIVE_INFINITY],
  ['nan', Number.NaN],
];
const WORDS = {
  repr: new Map<string, Literal>(PYTHON_WORDS),
  cell: new Map<string, Literal>([...PYTHON_WORDS, ['null', null], ['true', true], ['false', false]]),
} as const;
const SPACE = /\s*/y;
const WORD = /([+-]?)([A-Za-z]+)/y;
const NUMBER = /[+-]?(?:\d[\d_]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?/y;
const PLAIN = { "'": /[^'\\]*/y, '"': /[^"\\]*/y } as const;
const CODE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8}))/y;
const ESCAPES: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  '0': '\0',
};
const HIGHEST_CODE_POINT = 0x10ffff;

class Reader {
  readonly #text: string;
  readonly #dialect: Dialect;
  #at = 0;

  constructor(text: string, dialect: Dialect) {
    this.#text = text;
    this.#dialect = dialect;
  }

  value(depth: number): Literal {
    if (depth > MOST_DEPTH[this.#dialect]) throw new SyntaxError('its lists are nested too deeply');
    const sign = this.#peek();
    if (sign === '[') return this.#list(']', depth);
    if (sign === '(') return this.#list(')', depth);
    if (sign === '{') return this.#braces(depth);
    if (this.#dialect === 'repr' && /^b['"]/.test(this.#text.slice(this.#at, this.#at + 2))) this.#at += 1;
    const quote = this.#text[this.#at];
    return quote === "'" || quote === '"' ? this.#quoted(quote) : this.#scalar();
  }

  end(): void {
    if (this.#peek() !== '') throw this.#odd();
  }

  #peek(): string {
    this.#match(SPACE);
    return this.#text[this.#at] ?? '';
  }

  #odd(): SyntaxError {
    return new SyntaxError(`it cannot be read at character ${this.#at + 1}`);
  }

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

  /** Reads a dictionary, or a set if no colon follows its values. */
  #braces(depth: number): Literal {
    this.#at += 1;
    const [entries, values]: [(readonly [string, Literal])[], Literal[]] = [[], []];
    while (!this.#passes('}')) {
      const value = this.value(depth + 1);
      if (this.#passes(':')) entries.push([this.#key(value), this.value(depth + 1)]);
      else if (this.#dialect === 'cell') values.push(value);
      else throw this.#odd();
      if (!this.#passes(',') && this.#peek() !== '}') throw this.#odd();
    }
    if (entries.length > 0 && values.length > 0) throw this.#odd();
    return values.length > 0 ? values : Object.fromEntries(entries);
  }

  #key(value: Literal): string {
    const isKey = typeof value === 'string' || typeof value === 'number';
    const isWord = this.#dialect === 'cell' && (value === null || typeof value === 'boolean');
    if (!isKey && !isWord) throw new SyntaxError('a key in it is neither a text nor a number');
    return String(value);
  }

  #quoted(quote: "'" | '"'): string {
    const parts: string[] = [];
    this.#at += 1;
    for (;;) {
      const part = this.#match(PLAIN[quote])?.[0] ?? '';
      if (this.#dialect === 'repr' && part.includes('\n')) throw this.#odd();
      parts.push(part);
      if (this.#at >= this.#text.length) throw new SyntaxError('a text in it has no closing quote');
      if (this.#passesQuote(quote)) return parts.join('');
      parts.push(this.#escaped());
    }
  }

  #passesQuote(quote: string): boolean {
    const comes = this.#text[this.#at] === quote;
    if (comes) this.#at += 1;
    return comes;
  }

  #escaped(): string {
    const [, byte, short, long] = this.#match(CODE) ?? [];
    const digits = byte ?? short ?? long;
    if (digits !== undefined) {
      const code = Number.parseInt(digits, 16);
      if (code > HIGHEST_CODE_POINT) throw this.#odd();
      return String.fromCodePoint(code);
    }
    const sign = this.#text[this.#at + 1] ?? '';
    const isPlain = this.#dialect === 'cell' ? !'xuU'.includes(sign) : `\\'"`.includes(sign);
    const escaped = ESCAPES[sign] ?? (isPlain ? sign : '');
    if (escaped === '') throw this.#odd();
    this.#at += 2;
    return escaped;
  }

  #scalar(): Literal {
    const start = this.#at;
    const [, sign = '', word = ''] = this.#match(WORD) ?? [];
    if (word !== '') {
      const known = WORDS[this.#dialect].get(word);
      if (typeof known === 'number') return this.#number(sign === '-' ? -known : known);
      if (known !== undefined && sign === '') return known;
      this.#at = start;
      throw this.#odd();
    }
    const digits = this.#match(NUMBER)?.[0];
    if (digits === undefined || (this.#dialect === 'repr' && digits.includes('_'))) throw this.#odd();
    return this.#number(Number(digits.replaceAll('_', '')));
  }

  #number(value: number): number | null {
    return this.#dialect === 'cell' && !Number.isFinite(value) ? null : value;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}
