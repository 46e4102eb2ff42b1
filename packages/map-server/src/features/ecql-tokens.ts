/** A token of ECQL. `text` is without the enclosing quotation marks. */
export interface EcqlToken {
  readonly kind: 'name' | 'quoted' | 'text' | 'number' | 'sign' | 'end';
  readonly text: string;
  /** Number of characters before the token. */
  readonly at: number;
}

const TOKEN =
  /(?<name>[\p{L}_][\p{L}\p{M}\p{N}_.:]*)|(?<number>[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][-+]?\d+)?)|'(?<text>(?:[^']|'')*)'|"(?<quoted>(?:[^"]|"")*)"|(?<sign><>|<=|>=|!=|[<>=(),;])/uy;
const SPACE = /\s*/uy;

/**
 * Splits a filter into tokens. `wrong`: position of the first character that begins no token. Inside of quotation
 * marks, a quotation mark of the same kind is written twice.
 */
export function ecqlTokens(filter: string): {
  readonly tokens: readonly EcqlToken[];
  readonly wrong: number | undefined;
} {
  const tokens: EcqlToken[] = [];
  for (let at = 0; ;) {
    SPACE.lastIndex = at;
    at += SPACE.exec(filter)?.[0].length ?? 0;
    if (at >= filter.length) {
      tokens.push({ kind: 'end', text: '', at });
      return { tokens, wrong: undefined };
    }
    TOKEN.lastIndex = at;
    const found = TOKEN.exec(filter);
    if (found === null) return { tokens, wrong: at };
    tokens.push({ ...tokenOf(found.groups ?? {}), at });
    at = TOKEN.lastIndex;
  }
}

function tokenOf({
  name,
  number,
  text,
  quoted,
  sign,
}: Readonly<Record<string, string | undefined>>): Omit<EcqlToken, 'at'> {
  if (name !== undefined) return { kind: 'name', text: name };
  if (number !== undefined) return { kind: 'number', text: number };
  if (text !== undefined) return { kind: 'text', text: text.replaceAll("''", "'") };
  if (quoted !== undefined) return { kind: 'quoted', text: quoted.replaceAll('""', '"') };
  return { kind: 'sign', text: sign ?? '' };
}
