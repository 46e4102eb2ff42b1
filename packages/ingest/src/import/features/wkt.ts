/** Node of a CRS definition: `KEYWORD["name", 6378137, CHILD[...]]`. */
export interface WktNode {
  /** Keyword in upper case. */
  readonly keyword: string;
  /** Texts, words and numbers in the brackets, as written and in order. */
  readonly values: readonly string[];
  readonly children: readonly WktNode[];
}

/** One token: a quoted text (with doubled quotes), a word or number, a bracket, or a comma. */
const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([^\s",[\]()]+)|([[(])|([\])])|,)/y;
const MOST_DEPTH = 32;
const HEIGHTS = ['VERTCS', 'VERT_CS', 'VERTCRS'];

/**
 * Parses WKT 1 (OGC, ESRI) and WKT 2 of a CRS; undefined for other texts. ESRI appends a vertical CRS as a second
 * root, which is ignored.
 */
export function parseWkt(text: string): WktNode | undefined {
  const root: OpenNode = { keyword: '', values: [], children: [] };
  const stack = [root];
  const token = new RegExp(TOKEN);
  const trimmed = text.replace(/^\u{feff}/u, '').trim();
  while (token.lastIndex < trimmed.length) {
    const [found, quoted, word, open, close] = token.exec(trimmed) ?? [];
    const node = stack.at(-1);
    if (found === undefined || node === undefined || stack.length > MOST_DEPTH) return undefined;
    if (quoted !== undefined) node.values.push(quoted.replaceAll('""', '"'));
    else if (word !== undefined) node.values.push(word);
    else if (open !== undefined) {
      const child: OpenNode = { keyword: (node.values.pop() ?? '').toUpperCase(), values: [], children: [] };
      node.children.push(child);
      stack.push(child);
    } else if (close !== undefined) stack.pop();
  }
  const [first, ...others] = root.children;
  return stack.length === 1 && others.every(({ keyword }) => HEIGHTS.includes(keyword)) ? first : undefined;
}

interface OpenNode {
  readonly keyword: string;
  readonly values: string[];
  readonly children: OpenNode[];
}

/** First child with one of these keywords. */
export const childOf = (node: WktNode | undefined, ...keywords: readonly string[]): WktNode | undefined =>
  node?.children.find(({ keyword }) => keywords.includes(keyword));

/** Name in lower case without spaces and punctuation, to compare spellings. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
