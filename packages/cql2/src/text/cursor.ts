import { type Place, quoted } from '../model/place.ts';
import { placeAt } from './tokens.ts';
import { type Token, tokenAt } from './tokens.ts';

/** Reads the tokens of a text one by one. */
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

  tookSign(sign: string): boolean {
    const isNext = this.isSign(sign);
    if (isNext) this.take();
    return isNext;
  }

  tookWord(word: string): boolean {
    const isNext = this.isWord(word);
    if (isNext) this.take();
    return isNext;
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
