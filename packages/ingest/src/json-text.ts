/**
 * JSON of a document that somebody else wrote, also behind a byte order mark, as some editors put it before the text.
 * Throws an Error in words for text that is no JSON or that has more than `maxValues` values: to parse millions of empty
 * lists takes seconds, and half a gigabyte, out of 16 MB.
 */
export function parseJson(text: string, maxValues: number): unknown {
  if (holdsMoreThan(maxValues, text))
    throw new Error(`it holds more than ${maxValues} values; simplify it or split it`);
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

const [COMMA, COLON, LIST, OBJECT] = [',', ':', '[', '{'].map((sign) => sign.charCodeAt(0));

/** True for a text with more signs that begin a value, those inside of texts too: cheap, and never too few. */
export function holdsMoreThan(maxValues: number, text: string): boolean {
  let count = 0;
  for (let i = 0; i < text.length && count <= maxValues; i++) {
    const code = text.charCodeAt(i);
    if (code === COMMA || code === COLON || code === LIST || code === OBJECT) count += 1;
  }
  return count > maxValues;
}
