/** Deepest nesting that is read. */
const DEEPEST = 200;

/** What a text of Python is: `value` where it could be read, undefined where it is no literal. */
export type Literal = { readonly value: unknown } | undefined;

/**
 * Reads Python's `repr` of plain data: texts, numbers, True/False/None, lists, tuples (as lists) and dictionaries whose keys
 * are texts or numbers. Airflow 2 sends results and logs in it. Undefined for anything else, such as `<object at 0x...>`.
 */
export function parsePythonLiteral(source: string): Literal {
  const reader = new LiteralReader(source);
  try {
    return { value: reader.whole() };
  } catch (error) {
    if (error instanceof NoLiteral) return undefined;
    throw error;
  }
}

class NoLiteral extends Error {}

const SPACE = /[ \t\r\n]*/y;
const NUMBER = /[+-]?(?:\d+(?:\.\d*)?(?:[eE][+-]?\d+)?|\.\d+(?:[eE][+-]?\d+)?|inf|nan)/y;
const WORD = /True|False|None/y;
/** A run of characters of a text up to a quote, a backslash or a line's end. */
const PLAIN = { "'": /[^'\\\n]*/y, '"': /[^"\\\n]*/y } as const;
const ESCAPE = /\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|([\\'"nrtabfv0]))/y;
const SINGLE: Readonly<Record<string, string>> = {
  n: '\n',
  r: '\r',
  t: '\t',
  a: '\x07',
  b: '\b',
  f: '\f',
  v: '\v',
  0: '\0',
};
const WORDS: Readonly<Record<string, boolean | null>> = { True: true, False: false, None: null };
const HIGHEST_CODE_POINT = 0x10ffff;

class LiteralReader {
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  whole(): unknown {
    const value = this.#value(0);
    this.#match(SPACE);
    if (this.#at < this.#source.length) throw new NoLiteral();
    return value;
  }

  #value(depth: number): unknown {
    if (depth > DEEPEST) throw new NoLiteral();
    this.#match(SPACE);
    const next = this.#source[this.#at];
    if (next === "'" || next === '"') return this.#text(next);
    if (next === 'b' && /['"]/.test(this.#source[this.#at + 1] ?? '')) {
      this.#at += 1;
      return this.#value(depth);
    }
    if (next === '[') return this.#items(']', depth);
    if (next === '(') return this.#items(')', depth);
    if (next === '{') return this.#dictionary(depth);
    const word = this.#match(WORD)?.[0];
    if (word !== undefined) return WORDS[word];
    return this.#number();
  }

  #number(): number {
    const digits = this.#match(NUMBER)?.[0];
    if (digits === undefined) throw new NoLiteral();
    if (digits.endsWith('inf')) return digits.startsWith('-') ? -Infinity : Infinity;
    return Number(digits);
  }

  #items(end: ']' | ')', depth: number): unknown[] {
    const items: unknown[] = [];
    this.#at += 1;
    while (!this.#takes(end)) {
      items.push(this.#value(depth + 1));
      if (this.#takes(',')) continue;
      if (this.#takes(end)) break;
      throw new NoLiteral();
    }
    return items;
  }

  #dictionary(depth: number): Record<string, unknown> {
    const entries: [string, unknown][] = [];
    this.#at += 1;
    while (!this.#takes('}')) {
      const key = this.#value(depth + 1);
      if (!this.#takes(':') || (typeof key !== 'string' && typeof key !== 'number')) throw new NoLiteral();
      entries.push([String(key), this.#value(depth + 1)]);
      if (this.#takes(',')) continue;
      if (this.#takes('}')) break;
      throw new NoLiteral();
    }
    return Object.fromEntries(entries);
  }

  #text(quote: "'" | '"'): string {
    const pieces: string[] = [];
    this.#at += 1;
    for (;;) {
      pieces.push(this.#match(PLAIN[quote])?.[0] ?? '');
      if (this.#source[this.#at] === quote) break;
      const escape = this.#match(ESCAPE);
      if (escape === null) throw new NoLiteral();
      pieces.push(unescaped(escape));
    }
    this.#at += 1;
    return pieces.join('');
  }

  #takes(character: string): boolean {
    this.#match(SPACE);
    if (this.#source[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#source);
    if (found !== null) this.#at = pattern.lastIndex;
    return found;
  }
}

function unescaped([, byte, short, long, single]: RegExpExecArray): string {
  const digits = byte ?? short ?? long;
  if (digits !== undefined) {
    const code = Number.parseInt(digits, 16);
    if (code > HIGHEST_CODE_POINT) throw new NoLiteral();
    return String.fromCodePoint(code);
  }
  return single === undefined ? '' : (SINGLE[single] ?? single);
}
