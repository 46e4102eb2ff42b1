/** A node in the definition of a CRS: `KEYWORD["name", 6378137, CHILD[...]]`. */
export interface WktNode {
  /** Keyword of the node, in upper case. */
  readonly keyword: string;
  /** Quoted texts, bare words and numbers between the brackets, as written and in their order. */
  readonly values: readonly string[];
  readonly children: readonly WktNode[];
}

/**
 * One token: a quoted text (in which quotes are doubled), a bare word or number, a round or square bracket, or a comma.
 */
const TOKEN = /\s*(?:"((?:[^"]|"")*)"|([^\s",[\]()]+)|([[(])|([\])])|,)/y;
const MOST_DEPTH = 32;
const HEIGHTS = ['VERTCS', 'VERT_CS', 'VERTCRS'];

/**
 * Parses well-known text of a CRS: WKT 1 of the OGC and of ESRI, and WKT 2. Undefined for any other text. ESRI writes a vertical CRS as a second
 * root after the horizontal CRS; the vertical CRS is left out.
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

/** The first child with one of these keywords. */
export const childOf = (node: WktNode | undefined, ...keywords: readonly string[]): WktNode | undefined =>
  node?.children.find(({ keyword }) => keywords.includes(keyword));

/** A name in lower case without spaces and punctuation, to compare spellings. */
export const plainName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]/g, '');
