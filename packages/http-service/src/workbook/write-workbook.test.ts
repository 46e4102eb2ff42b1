import exceljs from 'exceljs';
import { expect, it } from 'vitest';
import { workbookStream, type WorkbookSheet } from './write-workbook.ts';

async function* told(...sheets: readonly WorkbookSheet[]): AsyncGenerator<WorkbookSheet> {
  yield* sheets;
}

async function read(stream: ReadableStream<Uint8Array>): Promise<exceljs.Workbook> {
  const book = new exceljs.Workbook();
  return await book.xlsx.load(await new Response(stream).arrayBuffer());
}

const cells = (book: exceljs.Workbook, sheet: string): readonly unknown[] =>
  (book.getWorksheet(sheet)?.getSheetValues() ?? []).slice(1).map((row) => (Array.isArray(row) ? row.slice(1) : row));

it('has a sheet for each table: numbers as numbers, lists as JSON, unknown values empty', async () => {
  const book = await read(
    workbookStream(
      told(
        {
          name: 'terrain',
          columns: ['UID', 'area'],
          rows: [
            ['12_1', 812.4],
            ['12_2', null],
          ],
        },
        {
          name: 'villages',
          columns: ['UID', 'ids'],
          rows: [
            ['12_1', [7, 'a', null]],
            ['12_2', []],
          ],
        },
        { name: 'none', columns: ['UID'], rows: [] },
      ),
    ),
  );
  expect(book.worksheets.map(({ name }) => name)).toEqual(['terrain', 'villages', 'none']);
  expect(cells(book, 'terrain')).toEqual([['UID', 'area'], ['12_1', 812.4], ['12_2']]);
  expect(cells(book, 'villages')).toEqual([
    ['UID', 'ids'],
    ['12_1', '[7,"a",null]'],
    ['12_2', '[]'],
  ]);
  expect(cells(book, 'none')).toEqual([['UID']]);
});

it('writes no text as a formula, and none that XML or a spreadsheet program cannot hold', async () => {
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://a.example")', '<b>&"', ' both ', 'क्षेत्र'];
  const broken = ['a\ud800b\u0000c\uffff', 'x'.repeat(40_000)];
  const book = await read(
    workbookStream(told({ name: 'texts', columns: ['=UID'], rows: [...texts, ...broken].map((text) => [text]) })),
  );
  expect(cells(book, 'texts').flat()).toEqual(['=UID', ...texts, 'a\ufffdbc', 'x'.repeat(32_767)]);
  book.getWorksheet('texts')?.eachRow((row) => expect(row.getCell(1).type).toBe(exceljs.ValueType.String));
});

it('gives sheets names that spreadsheet programs take, no two alike', async () => {
  const names = ['a/b:c', 'A_b_c', "'quoted'", 'history', 'x'.repeat(40), 'X'.repeat(31)];
  const book = await read(workbookStream(told(...names.map((name) => ({ name, columns: ['UID'], rows: [] })))));
  const long = 'x'.repeat(31);
  expect(book.worksheets.map(({ name }) => name)).toEqual([
    'a_b_c',
    'A_b_c~2',
    '_quoted_',
    'history~2',
    long,
    `${long.slice(0, 29).toUpperCase()}~2`,
  ]);
});

it('asks for no further sheet than its reader takes', async () => {
  let asked = 0;
  async function* endless(): AsyncGenerator<WorkbookSheet> {
    for (;;) {
      asked += 1;
      const rows = Array.from({ length: 300 }, () => Array.from({ length: 60 }, Math.random));
      yield { name: `s${asked}`, columns: ['UID'], rows };
    }
  }
  const reader = workbookStream(endless()).getReader();
  let bytes = 0;
  while (bytes < 1_000_000) bytes += (await reader.read()).value?.byteLength ?? 0;
  // A sheet has about 140 kB.
  expect(asked).toBeLessThan(12);
  const before = asked;
  await reader.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  expect(asked).toBeLessThanOrEqual(before + 1);
});

it('ends with the error of whoever tells the sheets', async () => {
  async function* failing(): AsyncGenerator<WorkbookSheet> {
    yield { name: 'first', columns: ['UID'], rows: [['12_1']] };
    throw new Error('the database is away');
  }
  await expect(new Response(workbookStream(failing())).arrayBuffer()).rejects.toThrow('the database is away');
});
