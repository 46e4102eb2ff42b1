import { Cql2Error } from '../model/error.ts';
import { type Place, quoted } from '../model/place.ts';

/** A place in a text, UTF-16 units from its start. */
export function placeAt(position: number): Place {
  return { error: ({ code = 'syntax', ...fault }) => new Cql2Error({ code, ...fault, position, pointer: null }) };
}

/** Kind of a token; `word` is a keyword or a name, `name` is a name in double quotation marks. */
export type TokenKind = 'word' | 'name' | 'text' | 'number' | 'sign' | 'end';

export interface Token {
  readonly kind: TokenKind;
  readonly value: string;
  readonly position: number;
}

/** First characters of names, as in XML: https://www.w3.org/TR/REC-xml/#sec-common-syn. */
const START =
  ':A-Z_a-z\\u00C0-\\u00D6\\u00D8-\\u00F6\\u00F8-\\u02FF\\u0370-\\u037D\\u037F-\\u1FFE\\u200C\\u200D\\u2070-\\u218F\\u2C00-\\u2FEF\\u3001-\\uD7FF\\uF900-\\uFDCF\\uFDF0-\\uFFFD\\u{10000}-\\u{EFFFF}';
const NAME = `[${START}][${START}.0-9\\u0300-\\u036F\\u203F\\u2040]*`;
const WORD = new RegExp(NAME, 'uy');
const WHOLE_WORD = new RegExp(`^${NAME}$`, 'u');
const SPACE = /[ \t\r\n]*/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const SIGN = /<=|>=|<>|[=<>(),+\-*/^%]/y;
const TEXT = /'(?:[^']|'')*'/y;
const QUOTED = /"(?:[^"]|"")*"/y;

/** True for a name that needs no quotation marks. Keywords are not detected. */
export function isPlainName(name: string): boolean {
  return WHOLE_WORD.test(name);
}

/** The token at a position, after blanks. */
export function tokenAt(text: string, from: number): { readonly token: Token; readonly next: number } {
  const position = from + match(SPACE, text, from).length;
  if (position >= text.length) return { token: { kind: 'end', value: '', position }, next: position };
  const [kind, raw] = recognise(text, position);
  const value = kind === 'text' || kind === 'name' ? undoubled(raw) : raw;
  return { token: { kind, value, position }, next: position + raw.length };
}

function recognise(text: string, position: number): readonly [TokenKind, string] {
  const word = match(WORD, text, position);
  if (word !== '') return ['word', word];
  const number = match(NUMBER, text, position);
  if (number !== '') return ['number', number];
  const sign = match(SIGN, text, position);
  if (sign !== '') return ['sign', sign];
  const first = text[position];
  const literal = first === "'" ? match(TEXT, text, position) : first === '"' ? match(QUOTED, text, position) : '';
  if (literal !== '') return [first === "'" ? 'text' : 'name', literal];
  throw placeAt(position).error(unreadable(text, position));
}

function unreadable(text: string, position: number): { found: string; expected: string; remedy: string } {
  const first = text[position];
  if (first === "'" || first === '"')
    return {
      found: `${quoted(text.slice(position))}, which is not closed`,
      expected: `${first} at its end`,
      remedy: `Add the closing ${first}. Within the quotation marks, write ${first}${first} for ${first}.`,
    };
  const isUnequal = text.startsWith('!=', position);
  return {
    found: isUnequal ? '"!="' : quoted(String.fromCodePoint(text.codePointAt(position) ?? 0)),
    expected: 'a name, a text, a number, an operator or a parenthesis',
    remedy: isUnequal
      ? 'Write <> for not equal.'
      : 'Put texts into single quotation marks, and unusual names into double quotation marks.',
  };
}

function match(pattern: RegExp, text: string, from: number): string {
  pattern.lastIndex = from;
  return pattern.exec(text)?.[0] ?? '';
}

function undoubled(raw: string): string {
  const mark = raw.slice(0, 1);
  return raw.slice(1, -1).replaceAll(`${mark}${mark}`, mark);
}
