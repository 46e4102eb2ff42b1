import { expect, it } from 'vitest';
import type { ImportRequest } from '../shared/importer.ts';
import { readSheetRows } from './sheet-rows.ts';

const request: ImportRequest = { path: 'sent.xlsx', fileName: 'sent.xlsx', signal: new AbortController().signal };
const CONTEXT = { strings: [], dateStyles: [], calendar: 'from1900' } as const;

/** Columns of the rows of a sheet whose rows are this XML. */
async function read(rows: string): Promise<readonly (readonly number[])[]> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  };
  const found: (readonly number[])[] = [];
  for await (const { cells } of readSheetRows(chunks(), CONTEXT, request)) found.push([...cells.keys()]);
  return found;
}

const cells = (count: number, reference = ''): string => `<c${reference}><v>1</v></c>`.repeat(count);

it('a row has as many cells as a sheet has columns, and the next row as many again', async () => {
  const full = `<row>${cells(16_384)}</row>`;
  expect((await read(full + full)).map((columns) => columns.length)).toEqual([16_384, 16_384]);
  expect(await read('<row><c r="XFD1"><v>1</v></c></row>')).toEqual([[16_383]]);
});

it.each([
  ['more cells', `<row r="7">${cells(16_385)}</row>`],
  ['a cell again and again', `<row r="7">${cells(16_385, ' r="A7"')}</row>`],
  ['a column behind the last', '<row r="7"><c r="XFE7"><v>1</v></c></row>'],
])('%s than a sheet has refuse the file', async (_, rows) => {
  await expect(read(rows)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/row 7 of a sheet has more than 16384 cells/),
  });
});
