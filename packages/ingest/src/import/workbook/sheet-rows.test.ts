import { expect, it } from 'vitest';
import type { ImportRequest } from '../shared/importer.ts';
import { readSheetRows } from './sheet-rows.ts';

const request: ImportRequest = { path: 'sent.xlsx', fileName: 'sent.xlsx', signal: new AbortController().signal };
const CONTEXT = { strings: [], dateStyles: [], calendar: 'from1900' } as const;

/** Reads a sheet from the XML of its rows; returns the columns of each row. */
async function read(rows: string): Promise<readonly (readonly number[])[]> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  };
  const found: (readonly number[])[] = [];
  for await (const { cells } of readSheetRows(chunks(), CONTEXT, request)) found.push([...cells.keys()]);
  return found;
}

const cells = (count: number, reference = ''): string => `<c${reference}><v>1</v></c>`.repeat(count);

it('accepts a row with as many cells as a sheet has columns, and another one after it', async () => {
  const full = `<row>${cells(16_384)}</row>`;
  expect((await read(full + full)).map((columns) => columns.length)).toEqual([16_384, 16_384]);
  expect(await read('<row><c r="XFD1"><v>1</v></c></row>')).toEqual([[16_383]]);
});

it.each([
  ['more cells', `<row r="7">${cells(16_385)}</row>`],
  ['a repeated cell', `<row r="7">${cells(16_385, ' r="A7"')}</row>`],
  ['a column after the last', '<row r="7"><c r="XFE7"><v>1</v></c></row>'],
])('refuses the file for %s than a sheet has', async (_, rows) => {
  await expect(read(rows)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/row 7 of a sheet has more than 16384 cells/),
  });
});
