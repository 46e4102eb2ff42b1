/**
 * Parses JSON from an untrusted source. A byte order mark before the text is allowed, because some editors write it. Throws an Error for
 * text that is not JSON or that has more than `maxValues` values. Without the limit, parsing millions of empty lists (16 MB of text) would
 * take seconds and half a gigabyte of memory.
 */
export function parseJson(text: string, maxValues: number): unknown {
  if (countValues(text, maxValues) > maxValues)
    throw new Error(`it has more than ${maxValues} values; simplify it or split it`);
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/**
 * Counts the values of a JSON text, at most to `most` + 1. To be fast, also counts characters inside of strings, so the result may be too
 * high.
 */
function countValues(text: string, most: number): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= most; i++) if (beginsValue(text.charCodeAt(i))) count += 1;
  return count;
}

const [COMMA, COLON, LIST, OBJECT] = [0x2c, 0x3a, 0x5b, 0x7b] as const;

/** True for the characters `,` `:` `[` and `{`, after which a value begins. `code` is a UTF-16 code unit or a UTF-8 byte. */
export function beginsValue(code: number): boolean {
  return code === COMMA || code === COLON || code === LIST || code === OBJECT;
}
