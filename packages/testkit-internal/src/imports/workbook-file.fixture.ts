import { writeFile } from 'node:fs/promises';
import { zipSync } from 'fflate';

/** Content of a workbook cell. */
export type CellContent =
  | string
  | number
  | boolean
  | null
  | { readonly formula: string; readonly value?: number | string }
  | { readonly error: string }
  /** A date, as its serial number in a workbook (days since 1899-12-30). */
  | { readonly day: number };

/** Rows by sheet name. */
export type SheetContents = Readonly<Record<string, readonly (readonly CellContent[])[]>>;

const text = new TextEncoder();
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

const xml = (body: string): string => `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n${body}`;
const escaped = (value: string): string =>
  value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/** Files of a workbook, by path. `others` contains additional or replaced files. */
export function workbookParts(
  sheets: SheetContents,
  others: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const strings = new Map<string, number>();
  const names = Object.keys(sheets);
  const bodies = Object.values(sheets).map((rows) => sheetXml(rows, strings));
  const relation = (index: number): string => `rId${index + 1}`;
  const parts: Record<string, string> = {
    '[Content_Types].xml': xml(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
        `<Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="${SHEET}.sheet.main+xml"/></Types>`,
    ),
    '_rels/.rels': xml(
      `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
    ),
    'xl/styles.xml': xml(
      `<styleSheet xmlns="${MAIN}"><numFmts count="1"><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellStyleXfs count="1"><xf numFmtId="14"/></cellStyleXfs>` +
        `<cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="170" applyNumberFormat="1"/></cellXfs></styleSheet>`,
    ),
    'xl/sharedStrings.xml': xml(
      `<sst xmlns="${MAIN}">${[...strings.keys()].map((each) => `<si><t xml:space="preserve">${escaped(each)}</t></si>`).join('')}</sst>`,
    ),
  };
  for (const [index, body] of bodies.entries()) parts[`xl/worksheets/sheet${index + 1}.xml`] = body;
  const list = names.map((name, i) => `<sheet name="${escaped(name)}" sheetId="${i + 1}" r:id="${relation(i)}"/>`);
  const targets = names.map(
    (_, i) => `<Relationship Id="${relation(i)}" Type="${RELATIONS}/worksheet" Target="worksheets/sheet${i + 1}.xml"/>`,
  );
  for (const part of ['sharedStrings', 'styles'])
    targets.push(`<Relationship Id="${part}" Type="${RELATIONS}/${part}" Target="${part}.xml"/>`);
  // Several programs write `workbook.xml`, which lists the sheets, as the last file.
  parts['xl/_rels/workbook.xml.rels'] = xml(
    `<Relationships xmlns="${PACKAGE}/relationships">${targets.join('')}</Relationships>`,
  );
  parts['xl/workbook.xml'] = xml(
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets>${list.join('')}</sheets></workbook>`,
  );
  return { ...parts, ...others };
}

/** Contents of files by path. */
export type ZipFiles = Readonly<Record<string, string | Uint8Array>>;

/** Writes a workbook or another ZIP file. */
export async function writeZip(path: string, parts: ZipFiles): Promise<void> {
  const bytes = (body: string | Uint8Array): Uint8Array => (typeof body === 'string' ? text.encode(body) : body);
  const files = Object.fromEntries(Object.entries(parts).map(([name, body]) => [name, bytes(body)]));
  await writeFile(path, zipSync(files, { level: 6 }));
}

function sheetXml(rows: readonly (readonly CellContent[])[], strings: Map<string, number>): string {
  const body = rows.map((cells, index) => {
    const written = cells.map((cell, column) => cellXml(cell, `${letters(column)}${index + 1}`, strings));
    return `<row r="${index + 1}">${written.join('')}</row>`;
  });
  return xml(`<worksheet xmlns="${MAIN}"><sheetData>${body.join('')}</sheetData></worksheet>`);
}

function cellXml(cell: CellContent, at: string, strings: Map<string, number>): string {
  if (cell === null) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  if (typeof cell === 'string') {
    if (!strings.has(cell)) strings.set(cell, strings.size);
    return `<c r="${at}" t="s"><v>${strings.get(cell)}</v></c>`;
  }
  if ('error' in cell) return `<c r="${at}" t="e"><v>${cell.error}</v></c>`;
  if ('day' in cell) return `<c r="${at}" s="1"><v>${cell.day}</v></c>`;
  const value = cell.value === undefined ? '' : `<v>${escaped(String(cell.value))}</v>`;
  return `<c r="${at}"${typeof cell.value === 'string' ? ' t="str"' : ''}><f>${escaped(cell.formula)}</f>${value}</c>`;
}

function letters(column: number): string {
  const rest = Math.floor(column / 26);
  return `${rest > 0 ? letters(rest - 1) : ''}${String.fromCharCode(65 + (column % 26))}`;
}
