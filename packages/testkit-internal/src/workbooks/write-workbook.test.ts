import { workbookStream, type WorkbookSheet } from '@headwater/http-service';
import { expect, it } from 'vitest';
import { readWorkbook, type WorkbookSheets } from './read-workbook.ts';

async function* sheetsOf(...sheets: readonly WorkbookSheet[]): AsyncGenerator<WorkbookSheet> {
  yield* sheets;
}

const bytesOf = async (...sheets: readonly WorkbookSheet[]): Promise<ArrayBuffer> =>
  await new Response(workbookStream(sheetsOf(...sheets))).arrayBuffer();

const read = async (...sheets: readonly WorkbookSheet[]): Promise<WorkbookSheets> =>
  readWorkbook(await bytesOf(...sheets));

it('a workbook has a sheet for each table, with numbers as numbers, lists as JSON, and empty cells for unknown values', async () => {
  const book = await read(
    {
      name: 'terrain',
      columns: ['UID', 'area', 'flat'],
      rows: [
        ['12_1', 812.4, true],
        ['12_2', null, false],
        ['12_3', Number.NaN],
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
    { name: 'none', columns: Array.from({ length: 30 }, (_each, at) => `column ${at}`), rows: [] },
  );
  expect([...book.keys()]).toEqual(['terrain', 'villages', 'none']);
  expect(book.get('terrain')).toEqual([
    ['UID', 'area', 'flat'],
    ['12_1', 812.4, true],
    ['12_2', null, false],
    ['12_3'],
  ]);
  expect(book.get('villages')).toEqual([
    ['UID', 'ids'],
    ['12_1', '[7,"a",null]'],
    ['12_2', '[]'],
  ]);
  expect(book.get('none')?.[0]?.at(-1)).toBe('column 29');
});

it('texts are never written as formulas, lose characters that XML does not allow, and are cut at 32,767 characters', async () => {
  const texts = ['=1+1', '+1', '-1', '@SUM(A1)', '=HYPERLINK("http://a.example")', '<b>&"', ' both ', 'क्षेत्र'];
  const broken = ['a\ud800b\u0000c\uffff', 'x'.repeat(40_000)];
  const rows = [...texts, ...broken].map((text) => [text]);
  const book = await read({ name: 'texts', columns: ['=UID'], rows });
  expect(book.get('texts')?.flat()).toEqual(['=UID', ...texts, 'a\ufffdbc', 'x'.repeat(32_767)]);
});

it('sheet names are made valid and unique for spreadsheet programs', async () => {
  const names = ['a/b:c', 'A_b_c', "'quoted'", 'history', 'x'.repeat(40), 'X'.repeat(31)];
  const book = await read(...names.map((name) => ({ name, columns: ['UID'], rows: [] })));
  const long = 'x'.repeat(31);
  expect([...book.keys()]).toEqual([
    'a_b_c',
    'A_b_c~2',
    '_quoted_',
    'history~2',
    long,
    `${long.slice(0, 29).toUpperCase()}~2`,
  ]);
});

it('sheets are read from their source only as fast as the workbook is read', async () => {
  let requested = 0;
  async function* endless(): AsyncGenerator<WorkbookSheet> {
    for (;;) {
      requested += 1;
      const rows = Array.from({ length: 300 }, () => Array.from({ length: 60 }, Math.random));
      yield { name: `s${requested}`, columns: ['UID'], rows };
    }
  }
  const reader = workbookStream(endless()).getReader();
  let bytes = 0;
  while (bytes < 1_000_000) bytes += (await reader.read()).value?.byteLength ?? 0;
  // Each sheet adds about 140 kB.
  expect(requested).toBeLessThan(12);
  const before = requested;
  await reader.cancel();
  await new Promise((resolve) => setImmediate(resolve));
  expect(requested).toBeLessThanOrEqual(before + 1);
});

it('a workbook ends with an error if the source of the sheets fails', async () => {
  async function* failing(): AsyncGenerator<WorkbookSheet> {
    yield { name: 'first', columns: ['UID'], rows: [['12_1']] };
    throw new Error('the database is away');
  }
  await expect(new Response(workbookStream(failing())).arrayBuffer()).rejects.toThrow('the database is away');
});

it('equal tables give the same bytes every time', async () => {
  const sheet = { name: 'terrain', columns: ['UID'], rows: [['12_1']] };
  expect(Buffer.compare(Buffer.from(await bytesOf(sheet)), Buffer.from(await bytesOf(sheet)))).toBe(0);
  expect(Buffer.from(await bytesOf(sheet)).readUInt32LE(10)).toBe(0x0021_0000);
});
