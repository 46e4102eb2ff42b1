import { expect, it } from 'vitest';
import type { ImportRequest } from '../shared/import-deps.ts';
import { readSheetRows } from './sheet-rows.ts';

const request: ImportRequest = { path: 'sent.xlsx', fileName: 'sent.xlsx', signal: new AbortController().signal };
const CONTEXT = { strings: [], dateStyles: [], calendar: 'from1900' } as const;

async function read(rows: string): Promise<readonly (readonly number[])[]> {
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(`<worksheet><sheetData>${rows}</sheetData></worksheet>`);
  };
  const found: (readonly number[])[] = [];
  for await (const { cells } of readSheetRows(chunks(), CONTEXT, request)) found.push([...cells.keys()]);
  return found;
}

const cells = (count: number, reference = ''): string => `<c${reference}><v>1</v></c>`.repeat(count);

it('accepts two rows with the maximum number of cells', async () => {
  const full = `<row>${cells(16_384)}</row>`;
  expect((await read(full + full)).map((columns) => columns.length)).toEqual([16_384, 16_384]);
  expect(await read('<row><c r="XFD1"><v>1</v></c></row>')).toEqual([[16_383]]);
});

it.each([
  ['one cell too many', `<row r="7">${cells(16_385)}</row>`],
  ['a cell that is repeated too often', `<row r="7">${cells(16_385, ' r="A7"')}</row>`],
  ['a column after XFD, the last column', '<row r="7"><c r="XFE7"><v>1</v></c></row>'],
])('refuses a file with %s', async (_, rows) => {
  await expect(read(rows)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringMatching(/row 7 of a sheet has more than 16384 cells/),
  });
});
