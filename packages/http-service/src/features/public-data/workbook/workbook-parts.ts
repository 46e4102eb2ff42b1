import { element, escapeXml, type Xml, xmlDocument } from '@headwater/core/xml';
import type { TableCell } from '@headwater/core';

const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const SHEET = 'application/vnd.openxmlformats-officedocument.spreadsheetml';
const RELATIONSHIPS = 'application/vnd.openxmlformats-package.relationships+xml';

const MOST_CHARACTERS = 32_767;

/** Path of the sheet with this number, counted from 1. */
export const sheetPath = (number: number): string => `xl/worksheets/sheet${number}.xml`;

/** Files before the sheets in a workbook's archive (ECMA-376). */
export const PARTS_BEFORE: readonly (readonly [path: string, text: string])[] = [
  [
    '[Content_Types].xml',
    xmlDocument(
      element(
        'Types',
        { xmlns: `${PACKAGE}/content-types` },
        element('Default', { Extension: 'rels', ContentType: RELATIONSHIPS }),
        element('Default', { Extension: 'xml', ContentType: `${SHEET}.worksheet+xml` }),
        element('Override', { PartName: '/xl/workbook.xml', ContentType: `${SHEET}.sheet.main+xml` }),
      ),
    ),
  ],
  ['_rels/.rels', relationships([['officeDocument', 'xl/workbook.xml']])],
];

/** Files after the sheets: the list of sheets, in order. */
export function partsAfter(names: readonly string[]): readonly (readonly [path: string, text: string])[] {
  const sheets = names.map((name, at) =>
    element('sheet', { name: escapedText(name), sheetId: at + 1, 'r:id': `rId${at + 1}` }),
  );
  const workbook = element(
    'workbook',
    { xmlns: MAIN, 'xmlns:r': RELATIONS },
    element('bookViews', {}, element('workbookView')),
    element('sheets', {}, ...sheets),
  );
  return [
    ['xl/workbook.xml', xmlDocument(workbook)],
    [
      'xl/_rels/workbook.xml.rels',
      relationships(names.map((_name, at) => ['worksheet', `worksheets/sheet${at + 1}.xml`])),
    ],
  ];
}

/** Text of a sheet before its rows. The first row stays visible when the sheet is scrolled. */
export const SHEET_START = `<?xml version="1.0" encoding="UTF-8"?>\n<worksheet xmlns="${MAIN}"><sheetViews><sheetView workbookViewId="0"><pane ySplit="1" topLeftCell="A2" activePane="bottomLeft" state="frozen"/></sheetView></sheetViews><sheetData>`;
/** Text of a sheet after its rows. */
export const SHEET_END = '</sheetData></worksheet>';

/**
 * XML of a row; `number` counts from 1. Texts are stored as texts, so that none becomes a formula. Lists become JSON.
 */
export function rowText(number: number, cells: readonly TableCell[]): string {
  return `<row r="${number}">${cells.map((cell, column) => cellText(cell, `${letters(column)}${number}`)).join('')}</row>`;
}

function cellText(cell: TableCell, at: string): string {
  if (cell === null || (typeof cell === 'number' && !Number.isFinite(cell))) return '';
  if (typeof cell === 'number') return `<c r="${at}"><v>${cell}</v></c>`;
  if (typeof cell === 'boolean') return `<c r="${at}" t="b"><v>${cell ? 1 : 0}</v></c>`;
  const text = typeof cell === 'string' ? cell : JSON.stringify(cell);
  // Long texts are cut here, but not in the JSON tables.
  const content = escapeXml(escapedText(text.slice(0, MOST_CHARACTERS).toWellFormed()));
  return `<c r="${at}" t="inlineStr"><is><t xml:space="preserve">${content}</t></is></c>`;
}

/** Escapes carriage returns, which XML would convert, and texts that look like escapes (ECMA-376 part 1, 22.9.2.19). */
const escapedText = (text: string): string =>
  text.replace(/_(?=x[0-9a-f]{4}_)/gi, '_x005F_').replaceAll('\r', '_x000D_');

/** Name of a column in spreadsheets: 0 is A, 26 is AA. */
function letters(column: number): string {
  const before = Math.floor(column / 26);
  return `${before > 0 ? letters(before - 1) : ''}${String.fromCodePoint(65 + (column % 26))}`;
}

function relationships(targets: readonly (readonly [type: string, target: string])[]): string {
  const each = targets.map(([type, target], at): Xml =>
    element('Relationship', { Id: `rId${at + 1}`, Type: `${RELATIONS}/${type}`, Target: target }),
  );
  return xmlDocument(element('Relationships', { xmlns: `${PACKAGE}/relationships` }, ...each));
}
