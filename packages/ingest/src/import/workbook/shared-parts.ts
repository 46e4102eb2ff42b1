import { type ImportRequest, badFile } from '../shared/import-deps.ts';
import type { ZipParts } from '../shared/zip-parts.ts';
import type { ShownTime } from './raw-cell.ts';
import { readWholeXml, unescapedText } from './xml-elements.ts';

const MOST_STRINGS = 2_000_000;
const MOST_CHARACTERS = 100_000_000;
const MOST_STYLES = 70_000;

/** Reads the texts to which cells refer by index, without phonetic hints. */
export async function readSharedStrings(
  zip: ZipParts,
  name: string,
  request: ImportRequest,
): Promise<readonly string[]> {
  const strings: string[] = [];
  let [text, hidden, characters] = ['', 0, 0];
  const open = (element: string): void => {
    if (element === 'si') text = '';
    if (element === 'rPh') hidden += 1;
  };
  const close = (element: string, own: string): void => {
    if (element === 'rPh') hidden -= 1;
    if (element === 't' && hidden === 0) {
      text += unescapedText(own);
      characters += own.length;
    }
    if (element === 'si') strings.push(text);
    if (strings.length > MOST_STRINGS || characters > MOST_CHARACTERS)
      throw badFile(
        request,
        `it has more than ${MOST_STRINGS} texts, or more than ${MOST_CHARACTERS} characters in them; split it.`,
      );
  };
  await readWholeXml(zip.read(name), { open, close }, request);
  return strings;
}

const builtIn = (id: number): ShownTime | undefined => {
  if ((id >= 14 && id <= 17) || id === 22) return 'day';
  if (id === 46) return 'span';
  return (id >= 18 && id <= 21) || id === 45 || id === 47 ? 'time' : undefined;
};

/**
 * Kind of value that a format shows, by its letters outside of quotes, escapes (`\x`, `_x`, `*x`), colours and `AM/PM`.
 * Brackets around hours, minutes or seconds mean a duration.
 */
export function shownBy(format: string): ShownTime | undefined {
  const code = format.replace(/"[^"]*"|[\\_*]./g, '');
  if (/\[(h+|m+|s+)\]/i.test(code)) return 'span';
  const letters = code.replace(/\[[^\]]*\]|am\/pm|a\/p/gi, '');
  if (/[yd]/i.test(letters)) return 'day';
  if (/[hs]/i.test(letters)) return 'time';
  return /m/i.test(letters) ? 'day' : undefined;
}

/** Kinds of value that cell formats show, by index; undefined for a number. */
export async function readDateStyles(
  zip: ZipParts,
  name: string,
  request: ImportRequest,
): Promise<readonly (ShownTime | undefined)[]> {
  const custom = new Map<number, ShownTime | undefined>();
  const styles: (ShownTime | undefined)[] = [];
  let isCell = false;
  const open = (element: string, attributes: ReadonlyMap<string, string>): void => {
    const id = Number(attributes.get('numFmtId') ?? '0');
    if (element === 'cellXfs') isCell = true;
    if (element === 'numFmt') custom.set(id, shownBy(attributes.get('formatCode') ?? ''));
    if (element === 'xf' && isCell) styles.push(custom.has(id) ? custom.get(id) : builtIn(id));
    if (styles.length > MOST_STYLES || custom.size > MOST_STYLES)
      throw badFile(request, 'it has too many cell formats; copy its values to a new workbook.');
  };
  const close = (element: string): void => {
    if (element === 'cellXfs') isCell = false;
  };
  await readWholeXml(zip.read(name), { open, close }, request);
  return styles;
}
