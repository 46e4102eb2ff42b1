import { ANSI, COLOURS } from '../colours.ts';

const PAINT = `(?:${ANSI})*`;
/** Log prefix of a printed line: `[time] {file:line} LEVEL - `. Airflow 3 writes no file, and sometimes no level. */
const LOG = String.raw`\[[^\]\n]*\] (?:\{[^}\n]*\} )?(?:[A-Z]+ - )?`;
/** Prefix with the container of a pod: `[base] `. */
const CONTAINER = String.raw`\[[\w.-]{1,63}\] `;

const BEFORE = new RegExp(`^\\uFEFF?${PAINT}(?:${LOG})?${PAINT}(?:${CONTAINER})?${PAINT}[ \\t]*$`);
const AFTER = new RegExp(`^[ \\t\\r]*${PAINT}[ \\t\\r]*$`);
const PREFIX = new RegExp(`^${PAINT}(?:${LOG})?${PAINT}`, 'gm');
const PREFIX_OF_POD = new RegExp(`^${PAINT}(?:${LOG})?${PAINT}(?:${CONTAINER})?${PAINT}`, 'gm');

/** Maximum number of characters before and after a marker on its line. */
const MOST_BEFORE = 1024;
const MOST_AFTER = 64;

/** True if the line contains only the marker at `at` and text that a log or terminal adds. */
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

/**
 * Yields the block as it was printed, and then without the prefixes of a log. The last text also lacks the prefixes of
 * a pod's container.
 */
function* readingsOf(block: string): Generator<string> {
  yield block;
  const bare = block.replaceAll(COLOURS, '').replaceAll('\uFEFF', '');
  yield bare.replaceAll(PREFIX, '');
  yield bare.replaceAll(PREFIX_OF_POD, '');
}

/** Line before a result; `RESULT_END` follows the JSON. */
export const RESULT_START = '===RESULT_JSON_START===';
export const RESULT_END = '===RESULT_JSON_END===';

/** The printed result, or the reason of its absence. */
export type MarkedResult =
  | { readonly kind: 'result'; readonly value: unknown }
  | { readonly kind: 'none' | 'several' | 'broken' | 'too_large'; readonly problem: string };

/** Memory limit of a block. */
export interface MarkerLimits {
  /** Maximum length of a block, characters. Default: 64 Mi. */
  readonly mostBlock?: number;
}

const MOST_BLOCK = 64 * 2 ** 20;

/**
 * Extracts the result between the markers from a container's output in pieces (texts or UTF-8). A marker is a whole
 * line, possibly after a log prefix. Two blocks, a block without end, and invalid JSON are problems.
 */
export async function parseMarkers(
  output: AsyncIterable<string | Uint8Array> | Iterable<string | Uint8Array>,
  limits: MarkerLimits = {},
): Promise<MarkedResult> {
  const scanner = new BlockScanner(limits);
  // One decoder for all pieces, because a piece may end within a character.
  const decoder = new TextDecoder();
  for await (const piece of output)
    scanner.push(typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true }));
  scanner.push(decoder.decode());
  return scanner.result();
}

/** Finds the markers in pieces that may be cut anywhere. */
export class BlockScanner {
  readonly #most: number;
  /** Possible beginning of a line with a marker. */
  #rest = '';
  /** True if the beginning of the first line of `#rest` was dropped. */
  #isCut = false;
  /** Pieces of an unfinished block. */
  #open: string[] | undefined;
  #length = 0;
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
      if ('restStart' in line) return this.#keepRest(text, from, line.restStart);
      this.#append(text.slice(from, line.start));
      this.#toggleBlock();
      this.#isCut = false;
      from = line.end + 1;
    }
  }

  result(): MarkedResult {
    // Ends the last line, which may lack a line end.
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
        problem: `the output has no line ${RESULT_START}: the function must print its result between the markers, each on its own line`,
      };
    return read(this.#block);
  }

  /** Line of the next marker from `from` on; otherwise the start of text that may become a marker. */
  #nextMarker(text: string, from: number): { start: number; end: number } | { restStart: number } {
    const marker = this.#open === undefined ? RESULT_START : RESULT_END;
    for (let at = text.indexOf(marker, from); at !== -1; at = text.indexOf(marker, at + marker.length)) {
      const before = text.slice(Math.max(from, at - MOST_BEFORE - 1), at);
      // A carriage return also begins a line, because a progress bar ends with it and not with a line end.
      const start = at - before.length + Math.max(before.lastIndexOf('\n'), before.lastIndexOf('\r')) + 1;
      if (at - start > MOST_BEFORE || (start === 0 && this.#isCut)) continue;
      const after = at + marker.length;
      const rest = text.slice(after, after + MOST_AFTER + 1);
      const length = rest.indexOf('\n');
      if (length === -1 && rest.length <= MOST_AFTER) return { restStart: start };
      const end = after + length;
      if (length !== -1 && isMarkerLine(text, { start, at, marker, end })) return { start, end };
    }
    const reach = Math.max(from, text.length - MOST_BEFORE - marker.length);
    return { restStart: reach + text.slice(reach).lastIndexOf('\n') + 1 };
  }

  #keepRest(text: string, from: number, restStart: number): void {
    this.#append(text.slice(from, restStart));
    if (restStart > 0) this.#isCut = restStart === from ? this.#isCut : !/[\r\n]/.test(text[restStart - 1] ?? '');
    this.#rest = text.slice(restStart);
  }

  #append(text: string): void {
    if (this.#open === undefined) return;
    this.#length += text.length;
    if (this.#length <= this.#most) this.#open.push(text);
    else {
      this.#open.length = 0;
      this.#fault ??= {
        kind: 'too_large',
        problem: `the result between the markers has more than ${this.#most} characters: print addresses of large results, not the results`,
      };
    }
  }

  #toggleBlock(): void {
    if (this.#open === undefined) {
      if (this.#block !== undefined)
        this.#fault ??= {
          kind: 'several',
          problem: 'the output has more than one result between markers: one call prints one result',
        };
      [this.#open, this.#length] = [[], 0];
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
      // The text is not JSON, so the next text is tried, which has fewer prefixes.
    }
  }
  if (plain.includes(RESULT_START))
    return { kind: 'broken', problem: `a second ${RESULT_START} precedes the end of the first result` };
  return {
    kind: 'broken',
    problem: `the text between the markers is not JSON: ${JSON.stringify(plain.trim().slice(0, 120))}`,
  };
}
