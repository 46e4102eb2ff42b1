import { ANSI, COLOURS } from '../colours.ts';

const PAINT = `(?:${ANSI})*`;
/** What a log puts before a line that a task prints: `[time] {file:line} LEVEL - `; Airflow 3 names no file, and not always a level. */
const LOG = String.raw`\[[^\]\n]*\] (?:\{[^}\n]*\} )?(?:[A-Z]+ - )?`;
/** Which container of a pod printed the line: `[base] `. */
const CONTAINER = String.raw`\[[\w.-]{1,63}\] `;

const BEFORE = new RegExp(`^\\uFEFF?${PAINT}(?:${LOG})?${PAINT}(?:${CONTAINER})?${PAINT}[ \\t]*$`);
const AFTER = new RegExp(`^[ \\t\\r]*${PAINT}[ \\t\\r]*$`);
const PREFIX = new RegExp(`^${PAINT}(?:${LOG})?${PAINT}`, 'gm');
const PREFIX_OF_POD = new RegExp(`^${PAINT}(?:${LOG})?${PAINT}(?:${CONTAINER})?${PAINT}`, 'gm');

/** Characters that may stand before a marker on its line, and after it; a line with more is none of a marker. */
const MOST_BEFORE = 1024;
const MOST_AFTER = 64;

/** True where a marker stands in `text` at `at` and its line has nothing else but what a log or a terminal adds; `end` is the line's end. */
function isMarkerLine(
  text: string,
  {
    start,
    at,
    marker,
    end,
  }: { readonly start: number; readonly at: number; readonly marker: string; readonly end: number },
): boolean {
  return BEFORE.test(text.slice(start, at)) && AFTER.test(text.slice(at + marker.length, end));
}

/** A block's text as it was printed, then as it reads without what a log puts before each line. */
function* readingsOf(block: string): Generator<string> {
  yield block;
  const bare = block.replaceAll(COLOURS, '').replaceAll('\uFEFF', '');
  yield bare.replaceAll(PREFIX, '');
  yield bare.replaceAll(PREFIX_OF_POD, '');
}

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

/**
 * Takes the result out of what a container printed, piece by piece, texts or bytes of UTF-8: noise is dropped as it comes and only the block is held. A marker is a
 * whole line, which may be one of a log; a line that only names one, such as the command that prints it, is noise. Two blocks, a block
 * without its end, and what is no JSON are told, not guessed at.
 */
export async function parseMarkers(
  output: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  limits: MarkerLimits = {},
): Promise<MarkedResult> {
  const scanner = new BlockScanner(limits);
  // A stream of a process gives bytes unless it was told otherwise, and may cut a character in two.
  const decoder = new TextDecoder();
  for await (const piece of output)
    scanner.push(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
  scanner.push(decoder.decode());
  return scanner.result();
}

/** Looks for the markers, whose lines may be cut anywhere by the ends of pieces. */
export class BlockScanner {
  readonly #most: number;
  /** End of the last piece that may be the beginning of a marker's line. */
  #rest = '';
  /** True where the line that `#rest` begins with began before it. */
  #isCut = false;
  /** Pieces of the block that is open. */
  #open: string[] | undefined;
  #held = 0;
  #block: string | undefined;
  #fault: Exclude<MarkedResult, { kind: 'result' }> | undefined;

  constructor({ mostBlock = MOST_BLOCK }: MarkerLimits = {}) {
    this.#most = mostBlock;
  }

  push(piece: string): void {
    const text = this.#rest + piece;
    let from = 0;
    for (;;) {
      const line = this.#nextMarker(text, from);
      if ('waits' in line) return this.#keep(text, from, line.waits);
      this.#hold(text.slice(from, line.start));
      this.#turn();
      this.#isCut = false;
      from = line.end + 1;
    }
  }

  result(): MarkedResult {
    // The last line may have no end of its own.
    this.push('\n');
    if (this.#fault !== undefined) return this.#fault;
    if (this.#open !== undefined)
      return {
        kind: 'broken',
        problem: `the output ends before the line ${RESULT_END}: the container was stopped while it printed`,
      };
    if (this.#block === undefined)
      return {
        kind: 'none',
        problem: `the output has no line ${RESULT_START}: the function must print its result between the markers, each a line of its own`,
      };
    return read(this.#block);
  }

  /** The line of the next marker from `from` on, or where the text begins that the next piece may make one of. */
  #nextMarker(text: string, from: number): { start: number; end: number } | { waits: number } {
    const marker = this.#open === undefined ? RESULT_START : RESULT_END;
    for (let at = text.indexOf(marker, from); at !== -1; at = text.indexOf(marker, at + marker.length)) {
      const before = text.slice(Math.max(from, at - MOST_BEFORE - 1), at);
      // A bar of progress goes back to its line's beginning, and need not end the line before something else is printed.
      const start = at - before.length + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
      if (at - start > MOST_BEFORE || (start === 0 && this.#isCut)) continue;
      const after = at + marker.length;
      const rest = text.slice(after, after + MOST_AFTER + 1);
      const length = rest.indexOf('\n');
      if (length === -1 && rest.length <= MOST_AFTER) return { waits: start };
      const end = after + length;
      if (length !== -1 && isMarkerLine(text, { start, at, marker, end })) return { start, end };
    }
    const reach = Math.max(from, text.length - MOST_BEFORE - marker.length);
    return { waits: reach + text.slice(reach).lastIndexOf('\n') + 1 };
  }

  #keep(text: string, from: number, waits: number): void {
    this.#hold(text.slice(from, waits));
    if (waits > 0) this.#isCut = waits === from ? this.#isCut : !/[\r\n]/.test(text[waits - 1] ?? '');
    this.#rest = text.slice(waits);
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
  let plain = block;
  for (const text of readingsOf(block)) {
    plain = text;
    try {
      return { kind: 'result', value: JSON.parse(text) };
    } catch {
      // The lines of a log are tried after the text as it is.
    }
  }
  if (plain.includes(RESULT_START))
    return { kind: 'broken', problem: `a second ${RESULT_START} stands before the first block's end` };
  return {
    kind: 'broken',
    problem: `what stands between the markers is no JSON: ${JSON.stringify(plain.trim().slice(0, 120))}`,
  };
}
