import { RESULT_END, RESULT_START } from './parse-markers.ts';

/** Common prefix of both markers. */
const BEGINNING = '===RESULT_JSON_';
/** `BEGINNING` with an escaped `=`, so that it is no marker. A JSON parser reads the escape as `=`. */
const ESCAPED = String.raw`\u003d==RESULT_JSON_`;

/**
 * Formats a result as one line of JSON between the markers, and escapes markers in it. Throws `TypeError` for a
 * bigint or a cycle.
 */
export function markedBlock(result: Readonly<Record<string, unknown>>): string {
  return `${RESULT_START}\n${JSON.stringify(result).replaceAll(BEGINNING, ESCAPED)}\n${RESULT_END}\n`;
}
