type Header = string | readonly string[] | undefined;

/** True if `text/html` has a higher weight than each of `others` (RFC 9110, 12.5.1), as in headers of browsers. */
export function prefersHtml(accept: Header, others: readonly string[] = ['application/json']): boolean {
  const header = typeof accept === 'string' ? accept : (accept?.join(',') ?? '');
  // Fast path: the headers of most programs contain no text type.
  if (!/text\//i.test(header)) return false;
  const ranges = weighted(header);
  const html = weightOf(ranges, 'text/html');
  return html > 0 && others.every((type) => html > weightOf(ranges, type));
}

/** Entries of a preference header with their weights. */
export function weighted(header: string): readonly Range[] {
  return header.split(',').flatMap(rangeOf);
}

interface Range {
  readonly type: string;
  readonly weight: number;
}

const WEIGHT = /^q=(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)$/i;

function rangeOf(text: string): readonly Range[] {
  const [type = '', ...parameters] = text.split(';').map((each) => each.trim());
  if (type === '') return [];
  const quality = parameters.find((each) => /^q=/i.test(each));
  const weight = quality === undefined ? '1' : WEIGHT.exec(quality)?.[1];
  // An unreadable weight counts as 0, so the client gets the default.
  return [{ type: type.toLowerCase(), weight: Number(weight ?? 0) }];
}

function weightOf(ranges: readonly Range[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const name of [type, family, '*/*']) {
    const fitting = ranges.filter((range) => range.type === name);
    if (fitting.length > 0) return Math.max(...fitting.map(({ weight }) => weight));
  }
  return 0;
}
