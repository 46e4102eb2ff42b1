import { type Place, quoted } from '../model/place.ts';
import { placeAt } from './tokens.ts';
import { type Token, tokenAt } from './tokens.ts';

/** Walks through the tokens of a text. */
export class Cursor {
  readonly #text: string;
  #next: number;
  #token: Token;

  constructor(text: string) {
    this.#text = text;
    const { token, next } = tokenAt(text, 0);
    this.#token = token;
    this.#next = next;
  }

  /** The token that comes next. */
  get token(): Token {
    return this.#token;
  }

  get place(): Place {
    return placeAt(this.#token.position);
  }

  take(): Token {
    const taken = this.#token;
    const { token, next } = tokenAt(this.#text, this.#next);
    this.#token = token;
    this.#next = next;
    return taken;
  }

  isSign(sign: string): boolean {
    return this.#token.kind === 'sign' && this.#token.value === sign;
  }

  isWord(word: string): boolean {
    return this.#token.kind === 'word' && this.#token.value.toUpperCase() === word;
  }

  /** Takes the sign if it comes next. */
  tookSign(sign: string): boolean {
    const comes = this.isSign(sign);
    if (comes) this.take();
    return comes;
  }

  /** Takes the keyword if it comes next. */
  tookWord(word: string): boolean {
    const comes = this.isWord(word);
    if (comes) this.take();
    return comes;
  }

  needSign(sign: string, remedy: string): void {
    if (!this.tookSign(sign)) throw this.unexpected(`"${sign}"`, remedy);
  }

  unexpected(expected: string, remedy: string): Error {
    const { kind, value } = this.#token;
    const found = kind === 'end' ? 'the end of the text' : `the ${kind} ${quoted(value)}`;
    return this.place.error({ found, expected, remedy });
  }
}
