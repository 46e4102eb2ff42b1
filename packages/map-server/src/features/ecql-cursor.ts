import { ogcError } from '../protocol/ogc-error.ts';
import { type EcqlToken, ecqlTokens } from './ecql-tokens.ts';

const LONGEST = 2048;
const DEEPEST = 20;

/** Reads the tokens of a filter in sequence. Errors name the parameter, and the position of a wrong part. */
export class EcqlCursor {
  readonly parameter: string;
  readonly #tokens: readonly EcqlToken[];
  #next = 0;
  #depth = 0;

  constructor(filter: string, parameter: string) {
    this.parameter = parameter;
    if (filter.length > LONGEST)
      throw ogcError(
        'InvalidParameterValue',
        parameter,
        `${parameter}: the filter has ${filter.length} characters; send at most ${LONGEST}`,
      );
    const { tokens, wrong } = ecqlTokens(filter);
    if (wrong !== undefined)
      throw this.fault(
        wrong,
        `${JSON.stringify(filter.slice(wrong, wrong + 10))} is not part of a filter`,
        "write ECQL, such as uid = '12_1'",
      );
    this.#tokens = tokens;
  }

  get token(): EcqlToken {
    return this.#tokens[this.#next] ?? { kind: 'end', text: '', at: 0 };
  }

  get following(): EcqlToken | undefined {
    return this.#tokens[this.#next + 1];
  }

  take(): EcqlToken {
    const { token } = this;
    this.#next += 1;
    return token;
  }

  /** True if the next token is the keyword `word` (upper case) in upper or lower case. Quoted names are no keywords. */
  isWord(word: string): boolean {
    return this.token.kind === 'name' && this.token.text.toUpperCase() === word;
  }

  takes(text: string): boolean {
    const isFound = this.token.kind === 'sign' ? this.token.text === text : this.isWord(text);
    if (isFound) this.#next += 1;
    return isFound;
  }

  demand(text: string): void {
    if (!this.takes(text)) throw this.unexpected(text);
  }

  /** Reads a nested part, at most `DEEPEST` levels deep. */
  nested<T>(read: () => T): T {
    this.#depth += 1;
    if (this.#depth > DEEPEST)
      throw this.fault(this.token.at, `the filter is nested more than ${DEEPEST} levels deep`, 'make it flatter');
    const result = read();
    this.#depth -= 1;
    return result;
  }

  number(): number {
    const { kind, text } = this.token;
    if (kind !== 'number' || !Number.isFinite(Number(text))) throw this.unexpected('a number');
    this.take();
    return Number(text);
  }

  unexpected(wanted: string): Error {
    const { kind, text, at } = this.token;
    const found = kind === 'end' ? 'the filter ends' : `there is ${JSON.stringify(text.slice(0, 40))}`;
    return this.fault(at, found, `write ${wanted} there`);
  }

  fault(at: number, problem: string, remedy: string): Error {
    const { parameter } = this;
    return ogcError('InvalidParameterValue', parameter, `${parameter}: at character ${at + 1}, ${problem}; ${remedy}`);
  }
}
