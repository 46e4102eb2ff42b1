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
export const MOST_BEFORE = 1024;
export const MOST_AFTER = 64;

/** True where a marker stands in `text` at `at` and its line has nothing else but what a log or a terminal adds; `end` is the line's end. */
export function isMarkerLine(
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
export function* readingsOf(block: string): Generator<string> {
  yield block;
  const bare = block.replaceAll(COLOURS, '').replaceAll('\uFEFF', '');
  yield bare.replaceAll(PREFIX, '');
  yield bare.replaceAll(PREFIX_OF_POD, '');
}
