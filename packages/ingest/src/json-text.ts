/**
 * Parses untrusted JSON, perhaps after a byte order mark. Throws for invalid JSON or more than `maxValues` values,
 * because millions of empty lists would take seconds.
 */
export function parseJson(text: string, maxValues: number): unknown {
  if (countValues(text, maxValues) > maxValues)
    throw new Error(`it has more than about ${maxValues} values; simplify it or split it`);
  return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text);
}

/**
 * Estimates the number of values: counts `,` `:` `[` `{`, until the count exceeds `most`. For speed, these characters
 * count in strings too.
 */
function countValues(text: string, most: number): number {
  let count = 0;
  for (let i = 0; i < text.length && count <= most; i++) if (beginsValue(text.charCodeAt(i))) count += 1;
  return count;
}

const [COMMA, COLON, LIST, OBJECT] = [0x2c, 0x3a, 0x5b, 0x7b] as const;

/** True for `,` `:` `[` `{`, as UTF-16 code unit or UTF-8 byte. */
export function beginsValue(code: number): boolean {
  return code === COMMA || code === COLON || code === LIST || code === OBJECT;
}
