/** Formats JSON-like data as Python's `repr()`. */
export function pythonRepr(value: unknown): string {
  if (value === null || value === undefined) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return textRepr(value);
  if (Array.isArray(value)) return `[${value.map(pythonRepr).join(', ')}]`;
  const members = Object.entries(value).map(([name, member]) => `${textRepr(name)}: ${pythonRepr(member)}`);
  return `{${members.join(', ')}}`;
}

/** Formats a text with `"` if it contains `'` and no `"`, otherwise with `'`. Unprintable characters are escaped. */
function textRepr(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = Array.from(text, (character) => escaped(character, quote)).join('');
  return `${quote}${inner}${quote}`;
}

const NAMED: Readonly<Record<string, string>> = { '\\': '\\\\', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

function escaped(character: string, quote: string): string {
  const named = NAMED[character] ?? (character === quote ? `\\${quote}` : undefined);
  if (named !== undefined) return named;
  if (!/[\p{C}\p{Z}]/u.test(character) || character === ' ') return character;
  const code = character.codePointAt(0) ?? 0;
  const digits = code.toString(16);
  if (code < 0x100) return `\\x${digits.padStart(2, '0')}`;
  return code < 0x10000 ? `\\u${digits.padStart(4, '0')}` : `\\U${digits.padStart(8, '0')}`;
}
