import { RESULT_END, RESULT_START } from './parse-markers.ts';

/** What both markers begin with. */
const BEGINNING = '===RESULT_JSON_';
/** The same as JSON writes it where it may not stand: an escaped `=` is an `=` when it is read. */
const ESCAPED = String.raw`\u003d==RESULT_JSON_`;

/**
 * The one block of a container's output: a result as JSON on one line between the markers. A text in it that looks like a marker is escaped,
 * so that nothing in a result can end it. Throws `TypeError` for what JSON cannot say.
 */
export function markedBlock(result: Readonly<Record<string, unknown>>): string {
  return `${RESULT_START}\n${JSON.stringify(result).replaceAll(BEGINNING, ESCAPED)}\n${RESULT_END}\n`;
}
