import { messageOf, ReadError } from '../errors.ts';

const DEEPEST = 200;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** Parses JSON. Throws `ReadError` for invalid or too deeply nested JSON. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text))
    throw new ReadError(
      `objects and lists are nested more than ${String(DEEPEST)} levels deep; write a flatter document`,
    );
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReadError(`is not valid JSON${placeOf(messageOf(error))}`);
  }
}

function placeOf(message: string): string {
  const place = / at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (place !== undefined) return `:${place}`;
  return message.includes('end of JSON input') ? ': it ends too early' : '';
}

/** Bytes as text. Throws `ReadError` for bytes that are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ReadError('is not UTF-8 text');
  }
}

/**
 * True for JSON with more than `DEEPEST` levels. Checked before parsing, because deep nesting would exhaust the
 * parser's stack.
 */
function isTooDeep(text: string): boolean {
  let depth = 0;
  let isText = false;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (isText) {
      if (code === BACKSLASH) index += 1;
      else if (code === QUOTE) isText = false;
    } else if (code === QUOTE) isText = true;
    else if (code === OPEN_LIST || code === OPEN_OBJECT) {
      depth += 1;
      if (depth > DEEPEST) return true;
    } else if (code === CLOSE_LIST || code === CLOSE_OBJECT) depth -= 1;
  }
  return false;
}
