/** Lines between which a container prints its result as JSON. */
export const RESULT_START = '===RESULT_JSON_START===';
export const RESULT_END = '===RESULT_JSON_END===';

/** The one result that was printed, or why there is none that could be taken. */
export type MarkedResult =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'none' | 'several' | 'broken' | 'too_large'; readonly problem: string };

/** Memory that a block may take. */
export interface MarkerLimits {
  /** Largest block, characters; 64 Mi. */
  readonly mostBlock?: number;
}

const MOST_BLOCK = 64 * 2 ** 20;
/** What Airflow 2 puts before each line that a task prints. */
const LOG_PREFIX = /^\[[^\]\n]*\] \{[^}\n]*\} [A-Z]+ - /gm;

/**
 * Takes the result out of what a container printed, piece by piece: noise is dropped as it comes and only the block is held. The lines may be
 * those of a log. Two blocks, a block without its end, and what is no JSON are told, not guessed at.
 */
export async function parseMarkers(
  output: AsyncIterable<string> | Iterable<string>,
  { mostBlock = MOST_BLOCK }: MarkerLimits = {},
): Promise<MarkedResult> {
  const scanner = new BlockScanner(mostBlock);
  for await (const piece of output) scanner.push(piece);
  return scanner.result();
}

/** Looks for the markers, which may be cut anywhere by the ends of pieces. */
class BlockScanner {
  readonly #most: number;
  /** End of the last piece that may be the beginning of a marker. */
  #rest = '';
  /** Pieces of the block that is open. */
  #open: string[] | undefined;
  #held = 0;
  #block: string | undefined;
  #fault: Exclude<MarkedResult, { kind: 'result' }> | undefined;

  constructor(most: number) {
    this.#most = most;
  }

  push(piece: string): void {
    let text = this.#rest + piece;
    for (;;) {
      const marker = this.#open === undefined ? RESULT_START : RESULT_END;
      const at = text.indexOf(marker);
      const end = at === -1 ? Math.max(0, text.length - marker.length + 1) : at;
      this.#hold(text.slice(0, end));
      this.#rest = text.slice(end);
      if (at === -1) return;
      this.#turn();
      text = text.slice(at + marker.length);
    }
  }

  result(): MarkedResult {
    if (this.#fault !== undefined) return this.#fault;
    if (this.#open !== undefined)
      return {
        kind: 'broken',
        problem: `the output ends before ${RESULT_END}: the container was stopped while it printed`,
      };
    if (this.#block === undefined)
      return {
        kind: 'none',
        problem: `the output has no ${RESULT_START}: the function must print its result between the markers`,
      };
    return read(this.#block);
  }

  #hold(text: string): void {
    if (this.#open === undefined) return;
    this.#held += text.length;
    if (this.#held <= this.#most) this.#open.push(text);
    else {
      this.#open.length = 0;
      this.#fault ??= {
        kind: 'too_large',
        problem: `the block has more than ${this.#most} characters: print addresses of large results, not the results`,
      };
    }
  }

  #turn(): void {
    if (this.#open === undefined) {
      if (this.#block !== undefined)
        this.#fault ??= { kind: 'several', problem: 'the output has more than one block: one call prints one result' };
      [this.#open, this.#held] = [[], 0];
      return;
    }
    this.#block = this.#open.join('');
    this.#open = undefined;
  }
}

function read(block: string): MarkedResult {
  if (block.includes(RESULT_START))
    return { kind: 'broken', problem: `a second ${RESULT_START} stands before the first block's end` };
  const plain = block.replaceAll(LOG_PREFIX, '').replace(/\n?\[[^\]\n]*\] \{[^}\n]*\} [A-Z]+ - $/, '');
  for (const text of [block, plain]) {
    try {
      return { kind: 'result', value: JSON.parse(text) };
    } catch {
      // The lines of a log are tried after the text as it is.
    }
  }
  return {
    kind: 'broken',
    problem: `what stands between the markers is no JSON: ${JSON.stringify(plain.trim().slice(0, 120))}`,
  };
}
