type Header = string | readonly string[] | undefined;

/**
 * True where a person's browser asks: `text/html` is weighted above each of `others` (RFC 9110, 12.5.1). A client that likes both
 * alike, or says nothing, gets what programs read.
 */
export function prefersHtml(accept: Header, others: readonly string[] = ['application/json']): boolean {
  const header = typeof accept === 'string' ? accept : (accept?.join(',') ?? '');
  // What programs send names no text at all: then nothing has to be read.
  if (!/text\//i.test(header)) return false;
  const ranges = weighted(header);
  const html = weightOf(ranges, 'text/html');
  return html > 0 && others.every((type) => html > weightOf(ranges, type));
}

/** What a header of preferences lists, with the weight of each. */
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
  const given = parameters.find((each) => /^q=/i.test(each));
  const weight = given === undefined ? '1' : WEIGHT.exec(given)?.[1];
  // A weight that cannot be read counts as a refusal: what programs read, uncompressed, is right for everybody.
  return [{ type: type.toLowerCase(), weight: Number(weight ?? 0) }];
}

/** Of the most precise range that fits; 0 where none does. */
function weightOf(ranges: readonly Range[], type: string): number {
  const family = `${type.slice(0, type.indexOf('/'))}/*`;
  for (const name of [type, family, '*/*']) {
    const fitting = ranges.filter((range) => range.type === name);
    if (fitting.length > 0) return Math.max(...fitting.map(({ weight }) => weight));
  }
  return 0;
}
