/** Start tag, parsed as a browser does. */
export interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A form that is sent by POST. */
export interface FoundForm {
  readonly action: string;
  readonly isMultipart: boolean;
  readonly inputs: readonly Tag[];
}

/** A page, parsed as a browser does. */
export interface ReadPage {
  readonly tags: readonly Tag[];
  /** Decoded text and title, without scripts and styles. */
  readonly text: string;
  readonly scripts: string;
  readonly forms: readonly FoundForm[];
}

/** Links of a page to this host. */
export function linksOf({ tags }: Pick<ReadPage, 'tags'>): readonly string[] {
  return tags.flatMap(({ name, attributes: { href = '' } }) =>
    name === 'a' && href.startsWith('/') ? [href.replace(/#.*/, '')] : [],
  );
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const decoded = (text: string): string =>
  text
    .replace(/&#(x[\da-f]+|\d+);/gi, (_, code: string) => String.fromCodePoint(Number(code.replace(/^x/i, '0x'))))
    .replace(/&(amp|lt|gt|quot|apos);/g, (_, name: string) => ENTITIES[name] ?? '');

/** Elements whose content has no tags. */
const RAW = new Set(['script', 'style', 'title', 'textarea']);

/** Parses a page by the rules of HTML. */
export function readPage(html: string): ReadPage {
  const tags: Tag[] = [];
  let [text, scripts] = ['', ''];
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf('<', at);
    text += html.slice(at, open === -1 ? undefined : open);
    if (open === -1) break;
    if (html.startsWith('<!--', open)) at = html.indexOf('-->', open) + 3;
    else if (/^<[!/?]/.test(html.slice(open, open + 2))) at = html.indexOf('>', open) + 1;
    else if (!/^<[a-z]/i.test(html.slice(open, open + 2))) [text, at] = [`${text}<`, open + 1];
    else {
      const { tag, end } = readTag(html, open);
      tags.push(tag);
      at = end;
      if (!RAW.has(tag.name)) continue;
      const close = html.slice(at).search(new RegExp(`</${tag.name}[\\s/>]`, 'i'));
      const content = html.slice(at, at + close);
      if (tag.name === 'script') scripts += content;
      else if (tag.name !== 'style') text += content;
      at += close;
    }
  }
  return { tags, text: decoded(text), scripts, forms: formsOf(tags, html) };
}

function readTag(html: string, open: number): { readonly tag: Tag; readonly end: number } {
  const [, name = ''] = /^<([^\s/>]+)/.exec(html.slice(open, open + 200)) ?? [];
  const attributes: Record<string, string> = {};
  const part = /[\s/]*(?:(>)|([^\s/>=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]*)))?)/y;
  part.lastIndex = open + 1 + name.length;
  for (;;) {
    const found = part.exec(html);
    if (found === null) return { tag: { name: name.toLowerCase(), attributes }, end: html.length };
    const [, end, key = '', double, single, bare] = found;
    if (end !== undefined) return { tag: { name: name.toLowerCase(), attributes }, end: part.lastIndex };
    attributes[key.toLowerCase()] ??= decoded(double ?? single ?? bare ?? '');
  }
}

const INPUTS = new Set(['input', 'select', 'textarea', 'option', 'button']);

function formsOf(tags: readonly Tag[], html: string): readonly FoundForm[] {
  if (!html.includes('method="post"')) return [];
  const starts = tags.flatMap(({ name }, index) => (name === 'form' ? [index] : []));
  return starts.flatMap((start, index) => {
    const attributes: Tag['attributes'] = tags[start]?.attributes ?? {};
    if (attributes['method'] !== 'post') return [];
    const inputs = tags.slice(start + 1, starts[index + 1]).filter(({ name }) => INPUTS.has(name));
    return [
      {
        action: attributes['action'] ?? '',
        isMultipart: attributes['enctype'] === 'multipart/form-data',
        inputs,
      },
    ];
  });
}

const LINKS = ['href', 'src', 'action', 'formaction', 'poster', 'data', 'xlink:href'];
// Browsers ignore spaces and control characters before a scheme, and tabs and line breaks in it.
const isScript = (address: string): boolean =>
  /^(?:javascript|vbscript|data:text)/i.test(address.replace(/[\s\p{C}]/gu, ''));

/**
 * Tags that unescaped text has created: with an invalid name or attribute, an event handler (`on...`), or a link to a
 * script. Also reports scripts that contain `mark`, a word of the stored text.
 */
export function brokenBy(mark: string, { tags, scripts }: ReadPage): readonly string[] {
  const bad = tags.filter(
    ({ name, attributes }) =>
      !/^[a-z][a-z\d-]*$/.test(name) ||
      Object.keys(attributes).some((key) => key.startsWith('on') || /["'<{]/.test(key) || key.includes(mark)) ||
      LINKS.some((link) => isScript(attributes[link] ?? '')),
  );
  return [...bad.map((tag) => JSON.stringify(tag)), ...(scripts.includes(mark) ? [`script with ${mark}`] : [])];
}
