import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDomainError } from '@headwater/core';
import type { Stores } from '@headwater/identity';
import { createMemoryStores } from '@headwater/identity/memory';
import { workbookImporter } from '@headwater/ingest';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { importInChildProcess } from './import-process.fixture.ts';
import { importWorld, inFolder, requestOf } from './import-request.fixture.ts';
import { type CellContent, workbookParts, writeZip, type ZipFiles } from './workbook-file.fixture.ts';

const PLACE = { state: 'Jharkhand', district: 'West Singhbhum', tehsil: 'Chaibasa' };
const GOOD = {
  terrain: [
    ['UID', 'area_in_ha'],
    ['12_9', 3],
  ],
};
const SHEET = 'xl/worksheets/sheet1.xml';

async function importParts(parts: ZipFiles, stores: Stores = createMemoryStores()) {
  const outcome: { report?: Awaited<ReturnType<ReturnType<typeof workbookImporter>['run']>> } = {};
  await inFolder(async (folder) => {
    const { deps } = await importWorld(stores);
    const path = join(folder, 'sent.xlsx');
    await writeZip(path, parts);
    outcome.report = await workbookImporter(deps).run(requestOf(path, { place: PLACE }));
  });
  return outcome.report;
}

const sheet = (body: string, before = ''): Readonly<Record<string, string>> =>
  workbookParts(GOOD, { [SHEET]: `${before}<worksheet><sheetData>${body}</sheetData></worksheet>` });

it.each<[string, ZipFiles, string]>([
  ['a file that is not a workbook', { 'a.txt': 'text' }, 'it is not an .xlsx workbook'],
  [
    'entities that grow',
    sheet('<row><c t="inlineStr"><is><t>&b;</t></is></c></row>', '<!DOCTYPE a [<!ENTITY a "x"><!ENTITY b "&a;&a;">]>'),
    'not XML',
  ],
  ['elements nested 100 deep', sheet('<a>'.repeat(100)), 'more than 64 nested elements'],
  [
    'an element with 200 attributes',
    sheet(`<row ${Array.from({ length: 200 }, (_, i) => `a${i}="1"`).join(' ')}/>`),
    'more than 100 attributes',
  ],
  [
    'a text of 1,100,000 characters',
    sheet(`<row><c t="inlineStr"><is><t>${'x'.repeat(1_100_000)}</t></is></c></row>`),
    'more than 1000000 characters',
  ],
  ['a sheet that ends early', workbookParts(GOOD, { [SHEET]: '<worksheet><sheetData>' }), 'not XML'],
  [
    'bytes that are not UTF-8',
    { ...workbookParts(GOOD), [SHEET]: Uint8Array.of(0x3c, 0x61, 0x3e, 0xff, 0xfe) },
    'not in UTF-8',
  ],
  [
    'a workbook that lacks the file of a sheet',
    workbookParts(GOOD, { 'xl/_rels/workbook.xml.rels': '<Relationships/>' }),
    'it lacks the file ""',
  ],
  [
    'a sheet at the external address file:///etc/passwd',
    workbookParts(GOOD, {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" TargetMode="External" Target="file:///etc/passwd"/></Relationships>',
    }),
    'it lacks the file ""',
  ],
  [
    'a sheet outside of the archive',
    workbookParts(GOOD, {
      'xl/_rels/workbook.xml.rels':
        '<Relationships><Relationship Id="rId1" Target="../../../etc/passwd"/></Relationships>',
    }),
    'it lacks the file',
  ],
])('the import refuses %s and stores nothing', async (_, parts, message) => {
  const stores = createMemoryStores();
  await expect(importParts(parts, stores)).rejects.toMatchObject({
    code: 'validation',
    message: expect.stringContaining(message),
  });
  expect(await stores.data.tablesOf(1)).toEqual([]);
});

it('the import refuses formulas even if a value is stored with them, and names their rows', async () => {
  const stores = createMemoryStores();
  const rows: readonly (readonly CellContent[])[] = [
    ['UID', 'area_in_ha', 'terrain_description'],
    ['12_9', { formula: "'[1]other'!A1*2", value: 7 }, 'plain'],
    ['12_100174', { formula: '1+1' }, 'plain'],
    ['12_100175', 5, { formula: 'HYPERLINK("http://a.example")', value: 'plain' }],
    [{ formula: '"12_9"', value: '12_9' }, 6, 'plain'],
    ['12_100174', 7, 'plain'],
  ];
  const report = await importParts(workbookParts({ terrain: rows }), stores);
  expect(report?.refused.map(({ row, field }) => [row, field])).toEqual([
    [2, 'area_in_ha'],
    [3, 'area_in_ha'],
    [4, 'terrain_description'],
    [5, 'uid'],
  ]);
  const { rows: stored = [] } = (await stores.data.table(1, 'terrain')) ?? {};
  expect(stored).toMatchObject([{ uid: '12_100174', area_in_ha: 7 }]);
  const named = workbookParts({
    terrain: [
      ['UID', { formula: '"area_in_ha"', value: 'area_in_ha' }],
      ['12_9', 1],
    ],
  });
  expect(await importParts(named)).toMatchObject({ stored: 0, refused: [{ row: 1, problem: /formula/ }] });
});

it.each([
  ['another workbook', 'xl/externalLinks/externalLink1.xml'],
  ['a database', 'xl/connections.xml'],
])('the import refuses a workbook that loads data from %s', async (_, part) => {
  const stores = createMemoryStores();
  await expect(importParts(workbookParts(GOOD, { [part]: '<not xml' }), stores)).rejects.toMatchObject({
    code: 'validation',
    message: /loads data from other files or addresses\. Break its links/,
  });
  expect(await stores.data.tablesOf(1)).toEqual([]);
});

it('the import accepts a workbook with hyperlinks', async () => {
  const relations =
    '<Relationships><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="http://a.example" TargetMode="External"/></Relationships>';
  const parts = workbookParts(GOOD, { 'xl/worksheets/_rels/sheet1.xml.rels': relations });
  expect(await importParts(parts)).toMatchObject({ stored: 1, refusedCount: 0 });
});

it('the import refuses a column named __proto__, and rows whose ids are SQL or file paths', async () => {
  expect(
    await importParts(
      workbookParts({
        terrain: [
          ['UID', '__proto__'],
          ['12_9', 3],
        ],
      }),
    ),
  ).toMatchObject({
    stored: 0,
    refused: [{ source: 'terrain', row: 1 }],
  });
  const rows = [['UID'], ["12_9'; drop table headwater.data_tables; --"], ['../../etc/passwd']];
  expect(await importParts(workbookParts({ terrain: rows }))).toMatchObject({ stored: 0, refusedCount: 3 });
});

it('the report lists the first 1,000 refused rows, and counts all refused rows', async () => {
  const rows = [['UID'], ...Array.from({ length: 1500 }, (_, index) => [`99_${index}`]), ['12_9']];
  const report = await importParts(workbookParts({ terrain: rows }));
  expect([report?.stored, report?.refusedCount, report?.refused.length]).toEqual([1, 1500, 1000]);
});

it('the import reads a workbook with random changes of bytes, or reports the error', async () => {
  await inFolder(async (folder) => {
    const { deps } = await importWorld(createMemoryStores());
    const path = join(folder, 'sent.xlsx');
    await writeZip(path, workbookParts(GOOD));
    const good = await readFile(path);
    const change = fc.tuple(fc.nat(good.byteLength - 1), fc.nat(255));
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 8 }), async (changes) => {
        const bytes = Uint8Array.from(good);
        for (const [at, byte] of changes) bytes[at] = byte;
        await writeFile(path, bytes);
        const outcome = await workbookImporter(deps)
          .run(requestOf(path, { place: PLACE, isTrial: true }))
          .catch((error: unknown) => error);
        const isExpected = isDomainError(outcome)
          ? outcome.code === 'validation'
          : typeof outcome === 'object' && outcome !== null && 'stored' in outcome;
        expect(isExpected, String(outcome)).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
}, 120_000);

/** Limit of memory growth, bytes: twice the measured 150 MB. */
const MOST_BYTES = 300 * 1024 ** 2;

it('the import reads 100,000 rows within bounded memory, and reports progress', async () => {
  await inFolder(async (folder) => {
    const path = join(folder, 'sent.xlsx');
    const years = [2018, 2019, 2020, 2021, 2022];
    const header = [
      'vill_id',
      'vill_name',
      ...years.flatMap((year) => [`Plantations_count_${year}`, `Land restoration_count_${year}`]),
    ];
    const rows = Array.from({ length: 100_000 }, (_, row) => [
      row,
      `Village ${row}`,
      ...header.slice(2).map((_name, column) => row * 7 + column),
    ]);
    await writeZip(path, workbookParts({ nrega_assets_village: [header, ...rows] }));
    const outcome = await importInChildProcess(path);
    expect(outcome.stored).toBe(100_000);
    expect(outcome.progressCalls).toBeGreaterThan(10);
    expect(outcome.grewBytes).toBeLessThan(MOST_BYTES);
  });
}, 300_000);
