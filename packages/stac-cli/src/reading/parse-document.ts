import { messageOf, ReadError } from './read-error.ts';

/** Objects and lists in each other: STAC needs about ten, and what is deeper exhausts the stack of whoever reads it. */
const DEEPEST = 200;
const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [0x22, 0x5c, 0x5b, 0x5d, 0x7b, 0x7d];

/** The value that JSON text holds. Throws `ReadError` for text that is no JSON and for values nested too deep. */
export function parseJson(text: string): unknown {
  if (isTooDeep(text)) throw new ReadError(`objects and lists are nested more than ${String(DEEPEST)} deep`);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new ReadError(`is no JSON${placeOf(messageOf(error))}`);
  }
}

/** Where the text is none, as far as that is told. The message itself quotes the text, which may be of any file. */
function placeOf(message: string): string {
  const place = / at position \d+(?: \(line \d+ column \d+\))?/.exec(message)?.[0];
  if (place !== undefined) return `:${place}`;
  return message.includes('end of JSON input') ? ': it ends before it is whole' : '';
}

/** Bytes as text. Throws `ReadError` where they are not UTF-8. */
export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new ReadError('is no text in UTF-8');
  }
}

/** Looked at before it is parsed, which is where depth would be felt first. */
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
