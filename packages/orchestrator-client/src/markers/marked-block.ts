import { RESULT_END, RESULT_START } from './parse-markers.ts';

/** Common prefix of both markers. */
const BEGINNING = '===RESULT_JSON_';
/**
 * The prefix inside a result. The `=` is escaped, so that the text is no marker; a JSON parser reads the escape as `=`.
 */
const ESCAPED = String.raw`\u003d==RESULT_JSON_`;

/**
 * Formats the output block of a container: a result as JSON on one line between the markers. Marker texts in the result
 * are escaped, because they would end the block. Throws `TypeError` for values that JSON cannot represent.
 */
export function markedBlock(result: Readonly<Record<string, unknown>>): string {
  return `${RESULT_START}\n${JSON.stringify(result).replaceAll(BEGINNING, ESCAPED)}\n${RESULT_END}\n`;
}
