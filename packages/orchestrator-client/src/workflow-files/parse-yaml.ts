import {
  Composer,
  type Document,
  isAlias,
  isMap,
  isNode,
  isPair,
  isScalar,
  isSeq,
  Lexer,
  LineCounter,
  Parser,
  visit,
} from 'yaml';
import type { FaultList, FileFault } from './faults.ts';

/** Maximum length of a file, characters. */
export const MOST_CHARACTERS = 256 * 1024;
/** Maximum number of lexemes, because each may be a fault, and reporting many faults takes long. */
const MOST_LEXEMES = 50_000;
/** Maximum depth of a document. The format has six levels; the parser counts some twice. */
const MOST_LEVELS = 32;
/** Maximum number of uses of an anchor, including uses within repeated values. */
const MOST_ALIASES = 20;

/** Tags of the format. */
const TAGS = ['!DAG', '!Dataset_Type', '!Algorithm_Type', '!Algorithm_Instance', '!Dataset_Instance'] as const;
export type Tag = (typeof TAGS)[number];

/** A mapping with one of `TAGS`. */
export interface Entry {
  readonly tag: Tag;
  /** The mapping as plain values. */
  readonly value: unknown;
  /** Line of the value at a path, or of the nearest enclosing value. */
  readonly lineAt: (path: readonly PropertyKey[]) => number;
}

type Report = (fault: Omit<FileFault, 'file'>) => void;

interface FileToParse {
  readonly file: string;
  readonly text: string;
  readonly faults: FaultList<FileFault>;
}

/** Parses tagged documents as PyYAML does (YAML 1.1). Documents with faults yield no entries. Never throws. */
export function parseYaml({ file, text, faults }: FileToParse): readonly Entry[] {
  const report: Report = (fault) => faults.add({ file, ...fault });
  const lines = new LineCounter();
  const entries: Entry[] = [];
  for (const document of compose(withPlainLineEnds(text), lines, report)) {
    const known = faults.count;
    reportFaults(document, lines, report);
    keepFractions(document);
    if (faults.count === known) entries.push(...entriesOf(document, lines, report));
  }
  return entries;
}

/**
 * Parses the documents of a text. Refuses texts that are too large or nested too deeply, because a stack overflow would
 * end the process.
 */
function compose(text: string, lines: LineCounter, report: Report): Iterable<Document> {
  const refuse = (line: number, problem: string, remedy: string) => {
    report({ line, field: '', problem, remedy });
    return [];
  };
  if (text.length > MOST_CHARACTERS)
    return refuse(
      1,
      `has ${text.length} characters; the maximum is ${MOST_CHARACTERS}`,
      'check that it is a workflow file, or split it',
    );
  const refuseAt = (at: number, { problem, remedy }: Refusal) =>
    refuse(text.slice(0, at).split('\n').length, problem, remedy);
  const unprintable = unprintableIn(text);
  if (unprintable !== undefined) return refuseAt(unprintable.at, unprintable);
  lines.addNewLine(0);
  const parser = new Parser(lines.addNewLine);
  const tokens = [];
  const check = new LexemeCheck();
  let lexemes = 0;
  for (const lexeme of new Lexer().lex(text)) {
    const refusal = check.next(lexeme);
    if (refusal !== undefined) return refuseAt(parser.offset, refusal);
    tokens.push(...parser.next(lexeme));
    lexemes += 1;
    if (lexemes > MOST_LEXEMES)
      return refuse(
        1,
        `has more than ${MOST_LEXEMES} names, values and punctuation marks`,
        'check that it is a workflow file, or split it',
      );
    if (parser.stack.length > MOST_LEVELS)
      return refuse(lines.linePos(parser.offset).line, `is nested deeper than ${MOST_LEVELS} levels`, 'nest less');
  }
  tokens.push(...parser.end());
  const customTags = TAGS.map((tag) => ({ tag, collection: 'map' as const }));
  // `reportFaults` finds duplicate keys, because the library's check compares all pairs, which is slow.
  return new Composer({ version: '1.1', uniqueKeys: false, customTags }).compose(tokens, true, text.length);
}

function reportFaults(document: Document, lines: LineCounter, report: Report): void {
  for (const { code, message, pos } of [...document.errors, ...document.warnings]) {
    const isTag = code === 'TAG_RESOLVE_FAILED';
    report({
      line: lines.linePos(pos[0]).line,
      field: '',
      problem: isTag
        ? 'has a tag that the generator does not know, so the generator would stop here'
        : `is not valid YAML: ${message}`,
      remedy: isTag ? `write one of ${TAGS.join(', ')}` : 'correct this line or the lines before it',
    });
  }
  visit(document, {
    Scalar(at, { type, source, tag, range }) {
      if (at === 'key' || type !== 'PLAIN' || source !== '=' || tag !== undefined) return;
      const line = lines.linePos(range?.[0] ?? 0).line;
      report({ line, field: '', problem: 'has the value =, which the generator cannot read', remedy: 'write "="' });
    },
    Map(_, map) {
      const keys = new Set<unknown>();
      for (const { key: written } of map.items) {
        const key = isAlias(written) ? written.resolve(document) : written;
        if (!isScalar(key) || key.source === '') {
          const line = lines.linePos((isNode(written) ? written.range?.[0] : undefined) ?? map.range?.[0] ?? 0).line;
          const problem = isScalar(key) ? 'has an empty key' : 'has a list or a mapping as a key';
          report({ line, field: '', problem: `${problem}, which the generator rejects`, remedy: 'name the key' });
        }
        if (!isScalar(key) || keys.size !== keys.add(key.value).size) continue;
        const line = lines.linePos(key.range?.[0] ?? 0).line;
        const problem = 'is written twice in one mapping; the generator would use the last';
        report({ line, field: String(key.value), problem, remedy: 'keep one of them' });
      }
    },
  });
}

/** Keeps the version `1.0`, as Python formats it; a JavaScript number would become `1`. */
function keepFractions(document: Document): void {
  visit(document, {
    Pair(_, { key, value }, path) {
      const isVersion = isScalar(key) && key.value === 'version' && !path.some(isPair);
      if (!isVersion || !isScalar(value) || !Number.isInteger(value.value) || value.source?.includes('.') !== true)
        return;
      value.value = `${String(value.value)}.0`;
    },
  });
}

/** Tagged mappings of a document. An empty document has none. */
function entriesOf(document: Document, lines: LineCounter, report: Report): readonly Entry[] {
  const { contents } = document;
  if (contents === null || (isScalar(contents) && contents.value === null)) return [];
  const plain = plainOf(document, lines, report);
  if (plain === undefined) return [];
  const places = isSeq(contents)
    ? contents.items.map((node, index) => ({ node, at: [index] }))
    : [{ node: contents, at: [] }];
  return places.flatMap(({ node, at }) => {
    const lineAt = (path: readonly PropertyKey[]) => lineOf(document, [...at, ...path], lines);
    const tag = TAGS.find((known) => isMap(node) && known === node.tag);
    if (tag !== undefined)
      return [{ tag, value: at.length === 0 ? plain.value : Reflect.get(Object(plain.value), at[0] ?? 0), lineAt }];
    report({
      line: lineAt([]),
      field: '',
      problem: 'has no tag: the generator would ignore it',
      remedy: `begin the document or the member with one of ${TAGS.join(', ')}`,
    });
    return [];
  });
}

/** The document as plain values. Each anchor is followed at most `MOST_ALIASES` times. */
function plainOf(document: Document, lines: LineCounter, report: Report): { readonly value: unknown } | undefined {
  try {
    return { value: document.toJS({ maxAliasCount: MOST_ALIASES }) };
  } catch (error) {
    const problem = `has anchors that cannot be followed: ${error instanceof Error ? error.message : String(error)}`;
    report({ line: lineOf(document, [], lines), field: '', problem, remedy: 'write the values out' });
    return undefined;
  }
}

function lineOf(document: Document, path: readonly PropertyKey[], lines: LineCounter): number {
  for (let length = path.length; length >= 0; length -= 1) {
    const node: unknown = document.getIn(path.slice(0, length), true);
    if (isNode(node) && node.range) return lines.linePos(node.range[0]).line;
  }
  return 1;
}

/** A construct that only PyYAML rejects. */
interface Refusal {
  readonly problem: string;
  readonly remedy: string;
}

/** Characters that PyYAML rejects as not printable. */
const UNPRINTABLE = /[^\t\n\r\u{20}-\u{7e}\u{85}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/u;

/** The first character that is not allowed anywhere in a file, even in a comment. */
function unprintableIn(text: string): (Refusal & { readonly at: number }) | undefined {
  const found = UNPRINTABLE.exec(text);
  if (found === null) return undefined;
  const code = (found[0].codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return {
    at: found.index,
    problem: `has the character U+${code}, which the generator rejects`,
    remedy: 'remove it',
  };
}

/** PyYAML also ends a line at a carriage return or next-line character, the YAML library only at LF. */
const withPlainLineEnds = (text: string): string => text.replaceAll(/\r\n?|\u0085/g, '\n');

/** Finds constructs that PyYAML rejects. */
class LexemeCheck {
  #isScalar = false;
  #isBlock = false;

  next(lexeme: string): Refusal | undefined {
    // The library's lexer writes this character before an unquoted scalar.
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
