import type { ImportJob } from '../shared/importer.ts';
import { badFile } from '../shared/import-deps.ts';
import type { ZipParts } from '../shared/zip-parts.ts';
import { readWholeXml } from './xml-elements.ts';

/** Texts that cells share: their number, and their characters in all. */
const MOST_STRINGS = 2_000_000;
const MOST_CHARACTERS = 100_000_000;
const MOST_STYLES = 70_000;

/** Texts that cells name by their index, one for each `si`; what is not shown (phonetic hints) is left out. */
export async function readSharedStrings(zip: ZipParts, name: string, job: ImportJob): Promise<readonly string[]> {
  const strings: string[] = [];
  let [text, hidden, characters] = ['', 0, 0];
  const open = (element: string): void => {
    if (element === 'si') text = '';
    if (element === 'rPh') hidden += 1;
  };
  const close = (element: string, own: string): void => {
    if (element === 'rPh') hidden -= 1;
    if (element === 't' && hidden === 0) {
      text += own;
      characters += own.length;
    }
    if (element === 'si') strings.push(text);
    if (strings.length > MOST_STRINGS || characters > MOST_CHARACTERS)
      throw badFile(
        job,
        `its texts are more than ${MOST_STRINGS}, or longer than ${MOST_CHARACTERS} characters in all.`,
      );
  };
  await readWholeXml(zip.read(name), { open, close }, job);
  return strings;
}

/** Formats of dates and times that every spreadsheet has. */
const isBuiltInDate = (id: number): boolean => (id >= 14 && id <= 22) || (id >= 45 && id <= 47);

/** Whether a format shows a date or a time: colours, quoted texts and single characters put aside, it has a letter of these. */
const isDateFormat = (code: string): boolean => /[ymdhs]/i.test(code.replace(/"[^"]*"|\[[^\]]*\]|\\./g, ''));

/** Which cell formats, by their index, show a number as a date. */
export async function readDateStyles(zip: ZipParts, name: string, job: ImportJob): Promise<readonly boolean[]> {
  const custom = new Map<number, boolean>();
  const styles: boolean[] = [];
  let isCell = false;
  const open = (element: string, attributes: ReadonlyMap<string, string>): void => {
    const id = Number(attributes.get('numFmtId') ?? '0');
    if (element === 'cellXfs') isCell = true;
    if (element === 'numFmt') custom.set(id, isDateFormat(attributes.get('formatCode') ?? ''));
    if (element === 'xf' && isCell) styles.push(custom.get(id) ?? isBuiltInDate(id));
    if (styles.length > MOST_STYLES || custom.size > MOST_STYLES) throw badFile(job, 'it has too many formats.');
  };
  const close = (element: string): void => {
    if (element === 'cellXfs') isCell = false;
  };
  await readWholeXml(zip.read(name), { open, close }, job);
  return styles;
}
