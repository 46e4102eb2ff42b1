/**
 * JSON of a document that somebody else wrote, also behind a byte order mark, as some editors put it before the text.
 * Throws an Error in words for text that is no JSON or that has more than `maxValues` values: to parse millions of empty
 * lists takes seconds, and half a gigabyte, out of 16 MB.
 */
export function parseJson(text: string, maxValues: number): unknown {
  if (countValues(text, maxValues) > maxValues)
    throw new Error(`it holds more than ${maxValues} values; simplify it or split it`);
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/** Counts up to one more than `most`: cheap, and never too few, since signs inside of texts count too. */
function countValues(text: string, most: number): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= most; i++) if (beginsValue(text.charCodeAt(i))) count += 1;
  return count;
}

const [COMMA, COLON, LIST, OBJECT] = [0x2c, 0x3a, 0x5b, 0x7b] as const;

/** True for the sign `,` `:` `[` or `{`, given as a code of text or a byte of UTF-8: a value begins behind it. */
export function beginsValue(code: number): boolean {
  return code === COMMA || code === COLON || code === LIST || code === OBJECT;
}
