/** Background map of another server, such as satellite images. The reader's browser loads its tiles. */
export interface MapBackground {
  /** Name in the list of backgrounds. */
  readonly name: string;
  /** Address of a Web Mercator tile, such as `https://tiles.example.org/{z}/{x}/{y}.png`; `y` counts from the north. */
  readonly url: string;
  /** Credit on the map, in the words of the tiles' licence. */
  readonly attribution: string;
}

const MEMBERS = ['name', 'url', 'attribution'] as const;
const PARTS = ['{x}', '{y}', '{z}'] as const;
const LONGEST = 500;
const EXAMPLE = 'https://tiles.example.org/{z}/{x}/{y}.png';

/**
 * First fault in a list of backgrounds, with a remedy; undefined for a valid list. The caller writes the list's name
 * before this text.
 */
export function backgroundProblem(list: unknown): string | undefined {
  if (!Array.isArray(list)) return 'is not a list; write it as [{"name": ..., "url": ..., "attribution": ...}]';
  const all: readonly unknown[] = list;
  for (const [index, each] of all.entries()) {
    const problem = problemOf(each);
    if (problem !== undefined) return `[${index}]${problem}`;
  }
  const names = all.map((each) => memberOf(each, 'name')).filter((name) => typeof name === 'string');
  const repeated = names.find((name, index) => names.indexOf(name) !== index);
  return repeated === undefined
    ? undefined
    : ` has the name "${repeated}" twice; give each background a different name`;
}

function problemOf(background: unknown): string | undefined {
  for (const member of MEMBERS) {
    const text = memberOf(background, member);
    if (typeof text !== 'string' || text.trim() === '' || text.length > LONGEST)
      return `.${member} must be a text of 1 to ${LONGEST} characters`;
  }
  const url = String(memberOf(background, 'url'));
  const missing = PARTS.filter((part) => url.split(part).length !== 2);
  if (missing.length > 0) return `.url must contain ${missing.join(' and ')} once, such as ${EXAMPLE}`;
  // The content security policy allows one origin for each background, so the host must have no placeholder.
  const plain = PARTS.reduce((text, part) => text.replace(part, '0'), url);
  const address = URL.canParse(plain) ? new URL(plain) : undefined;
  const isPlain = address?.protocol === 'https:' && `${address.username}${address.password}${address.hash}` === '';
  if (!isPlain || /[{}*\s;,]/.test(address.origin) || !url.startsWith(`${address.origin}/`))
    return `.url must begin with https:// and a fixed host in lower case, without user and fragment, such as ${EXAMPLE}`;
  return undefined;
}

function memberOf(value: unknown, member: (typeof MEMBERS)[number]): unknown {
  if (typeof value !== 'object' || value === null) return undefined;
  return Object.getOwnPropertyDescriptor(value, member)?.value;
}

/** Checks the option `mapBackgrounds`. Throws an error for the first fault. */
export function checkedBackgrounds(list: readonly MapBackground[] = []): readonly MapBackground[] {
  const problem = backgroundProblem(list);
  if (problem !== undefined) throw new Error(`mapBackgrounds${problem.startsWith('is') ? ' ' : ''}${problem}`);
  return list.map(({ name, url, attribution }) => ({ name, url, attribution }));
}

/** Origins of backgrounds, each once. */
export function originsOf(backgrounds: readonly MapBackground[]): readonly string[] {
  return [...new Set(backgrounds.map(({ url }) => new URL(url.replace(/[{}]/g, '')).origin))];
}
