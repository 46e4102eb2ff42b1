import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openWorkbook } from './open-workbook.ts';
import type { RawCell } from './raw-cell.ts';

const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const relations = (...targets: readonly (readonly [type: string, target: string])[]): string =>
  `<Relationships>${targets.map(([type, target], n) => `<Relationship Id="r${n}" Type="${RELATIONS}/${type}" Target="${target}"/>`).join('')}</Relationships>`;
const CELLS =
  '<c r="A1" t="s"><v>0</v></c><c r="B1" s="1"><v>1</v></c><c r="C1" s="2"><v>0.25</v></c><c r="D1" t="str"><v>x_x000D_&#10;y</v></c><c r="E1" t="inlineStr"><is><t>_x005F_x000D_</t></is></c>';
const SHEET = `<worksheet><sheetData><row r="1">${CELLS}</row></sheetData></worksheet>`;
const STRINGS = '<sst><si><t>one_x000D_</t><rPh><t>hidden</t></rPh></si></sst>';
const STYLES =
  '<styleSheet><numFmts><numFmt numFmtId="170" formatCode="yyyy\\-mm\\-dd"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="170"/><xf numFmtId="20"/></cellXfs></styleSheet>';
const BOOK = (settings = ''): string =>
  `<workbook>${settings}<sheets><sheet name="s_x0041_" sheetId="1" id="r0"/></sheets></workbook>`;

const PARTS = {
  '_rels/.rels': relations(['officeDocument', 'xl/workbook.xml']),
  'xl/workbook.xml': BOOK(),
  'xl/_rels/workbook.xml.rels': relations(
    ['worksheet', 'worksheets/sheet1.xml'],
    ['sharedStrings', 'sharedStrings.xml'],
    ['styles', 'styles.xml'],
  ),
  'xl/worksheets/sheet1.xml': SHEET,
  'xl/sharedStrings.xml': STRINGS,
  'xl/styles.xml': STYLES,
};

let dir = '';
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'workbook-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

async function read(parts: Readonly<Record<string, string>>) {
  const path = join(dir, 'in.xlsx');
  await writeFile(path, zipSync(Object.fromEntries(Object.entries(parts).map(([name, xml]) => [name, strToU8(xml)]))));
  const workbook = await openWorkbook({ path, fileName: 'in.xlsx', signal: new AbortController().signal });
  try {
    const cells: RawCell[] = [];
    for await (const row of workbook.sheets[0]?.rows() ?? []) cells.push(...row.cells.values());
    return { names: workbook.sheets.map(({ name }) => name), cells };
  } finally {
    workbook.close();
  }
}

const EXPECTED = {
  names: ['sA'],
  cells: [
    { kind: 'value', value: 'one\r' },
    { kind: 'date', value: 1, iso: '1900-01-01' },
    { kind: 'date', value: 0.25, iso: '06:00:00' },
    { kind: 'value', value: 'x\r\ny' },
    { kind: 'value', value: '_x000D_' },
  ],
};

describe('openWorkbook', () => {
  const { 'xl/sharedStrings.xml': strings, 'xl/styles.xml': styles, ...others } = PARTS;
  it.each<[string, Readonly<Record<string, string>>]>([
    ['with the names that most programs use', PARTS],
    [
      'by the targets of relationships, also from the root, in other folders and with other names',
      {
        '_rels/.rels': relations(['officeDocument', '/book/main.xml']),
        'book/main.xml': BOOK(),
        'book/_rels/main.xml.rels': relations(
          ['worksheet', '/sheets/first.xml'],
          ['sharedStrings', '../texts/all.xml'],
          ['styles', './formats.xml'],
        ),
        'sheets/first.xml': SHEET,
        'texts/all.xml': strings,
        'book/formats.xml': styles,
      },
    ],
    [
      'also if the case of letters in their names differs',
      { ...others, 'xl/SharedStrings.xml': strings, 'xl/Styles.xml': styles },
    ],
    [
      'by their usual names, if no relationship names them',
      { ...PARTS, 'xl/_rels/workbook.xml.rels': relations(['worksheet', 'worksheets/sheet1.xml']) },
    ],
    [
      'not by their usual names, if a relationship names another part',
      {
        ...PARTS,
        'xl/sharedStrings.xml': '<sst><si><t>old</t></si></sst>',
        'xl/strings2.xml': strings,
        'xl/_rels/workbook.xml.rels': relations(
          ['worksheet', 'worksheets/sheet1.xml'],
          ['sharedStrings', 'strings2.xml'],
          ['styles', 'styles.xml'],
        ),
      },
    ],
  ])('finds the parts of a workbook %s', async (_, parts) => {
    expect(await read(parts)).toEqual(EXPECTED);
  });

  it('uses the calendar that the workbook names, such as the calendar from 1904', async () => {
    const { cells } = await read({ ...PARTS, 'xl/workbook.xml': BOOK('<workbookPr date1904="1"/>') });
    expect(cells.slice(1, 3)).toMatchObject([{ iso: '1904-01-02' }, { iso: '06:00:00' }]);
  });

  it.each([
    [
      'a document of another program',
      { '_rels/.rels': relations(['officeDocument', 'word/document.xml']), 'word/document.xml': '<document/>' },
    ],
    ['a binary workbook', { '_rels/.rels': relations(['officeDocument', 'xl/workbook.bin']), 'xl/workbook.bin': 'x' }],
    ['an empty package', { '_rels/.rels': relations() }],
  ])('refuses %s', async (_, parts) => {
    await expect(read(parts)).rejects.toThrow(/it is not an \.xlsx workbook/);
  });

  it('finds links to external data by their relationship, in any folder', async () => {
    const related = relations(['worksheet', 'worksheets/sheet1.xml'], ['externalLink', 'others/link.xml']);
    const parts = { ...PARTS, 'xl/_rels/workbook.xml.rels': related, 'xl/others/link.xml': '<externalLink/>' };
    await expect(read(parts)).rejects.toThrow(/loads data from other files/);
  });
});
