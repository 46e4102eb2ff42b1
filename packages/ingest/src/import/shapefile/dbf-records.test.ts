import { describe, expect, it } from 'vitest';
import { dbf } from '../boundaries/import-files.fixture.ts';
import { ByteReader } from './byte-reader.ts';
import { dbfRecords } from './dbf-records.ts';

async function read(rows: readonly Uint8Array[], { cpg, driver = 0 }: { cpg?: string; driver?: number } = {}) {
  const file = dbf(rows.map(() => ({ properties: { name: '' }, rings: [] })));
  file.writeUInt8(driver, 29);
  const [head, size] = [file.readUInt16LE(8), file.readUInt16LE(10)];
  for (const [index, bytes] of rows.entries()) file.set(bytes, head + index * size + 1);
  const [texts, notes]: [unknown[], (readonly [number, string])[]] = [[], []];
  const chunks = async function* (): AsyncGenerator<Uint8Array> {
    yield file;
  };
  const note = (row: number, text: string): void => void notes.push([row, text]);
  for await (const row of dbfRecords(new ByteReader(chunks(), 'in.dbf'), { cpg, note })) texts.push(row?.['name']);
  return { texts, notes };
}

const bytes = (hex: string): Uint8Array => Buffer.from(hex, 'hex');

describe('texts of a .dbf are decoded with the encoding of the Shapefile', () => {
  // The bytes were made with Python's codecs.
  it.each([
    ['UTF-8', 0, 'e0a497e0a58de0a4b0e0a4bee0a4ae', 'ग्राम'],
    ['\u{ef}\u{bb}\u{bf}UTF-8\r\n', 0, 'e0a497', 'ग'],
    ['65001', 0, 'c3a9', 'é'],
    ['1252', 0, 'e9', 'é'],
    ['ANSI 1251', 0, 'caeeeb', 'Кол'],
    ['CP1251', 0, 'caeeeb', 'Кол'],
    ['windows-1253', 0, 'c1e8', 'Αθ'],
    ['OEM 437', 0, '8e82', 'Äé'],
    ['850', 0, 'b5', 'Á'],
    ['ISO-8859-1', 0, 'd6', 'Ö'],
    ['ISO 88592', 0, 'a3', 'Ł'],
    ['88595', 0, 'b0', 'А'],
    ['28595', 0, 'b0', 'А'],
    ['ISO-8859-15', 0, 'a4', '€'],
    ['GBK', 0, 'c1aacda8', '联通'],
    ['936', 0, 'c1aacda8', '联通'],
    ['Shift_JIS', 0, '93fa967b', '日本'],
    ['SJIS', 0, '93fa967b', '日本'],
    ['EUC-KR', 0, 'b0a1', '가'],
    ['Big5', 0, 'a4a4', '中'],
    ['10007', 0, '80', 'А'],
    ['LDID/201', 0, 'caeeeb', 'Кол'],
    [undefined, 1, '8e82', 'Äé'],
    [undefined, 2, 'b5', 'Á'],
    [undefined, 87, 'e9', 'é'],
    [undefined, 201, 'caeeeb', 'Кол'],
    ['', 201, 'caeeeb', 'Кол'],
    [undefined, 77, 'c1aacda8', '联通'],
    [undefined, 4, '8e', 'é'],
    // Valid UTF-8 is read as UTF-8, whatever the .cpg names.
    ['ISO-8859-1', 0, 'e0a497', 'ग'],
    [undefined, 0, 'e0a497', 'ग'],
  ])('.cpg %j, language driver %i', async (...[cpg, driver, hex, text]) => {
    const encoding = cpg === undefined ? { driver } : { cpg, driver };
    expect(await read([bytes(hex)], encoding)).toEqual({ texts: [text], notes: [] });
  });
});

describe('one note names the first row with a text that cannot be decoded reliably', () => {
  it.each([
    ['ISCII', 0, '"ISCII"'],
    ['hex', 0, '"hex"'],
    ['SYSTEM', 87, '"SYSTEM"'],
    [undefined, 0, '"language driver 0"'],
    [undefined, 104, '"language driver 104"'],
  ])('.cpg %j, language driver %i', async (cpg, driver, named) => {
    const encoding = cpg === undefined ? { driver } : { cpg, driver };
    const { texts, notes } = await read([Buffer.from('plain'), bytes('e9'), bytes('d6')], encoding);
    expect(texts).toEqual(['plain', 'é', 'Ö']);
    expect(notes).toEqual([[2, expect.stringContaining(`encoding of the texts (${named}) is unknown`)]]);
  });

  it('also if bytes are not valid in the encoding', async () => {
    const { texts, notes } = await read([bytes('e0a4'), bytes('e0a497')], { cpg: 'UTF-8' });
    expect(texts).toEqual(['\u{fffd}', 'ग']);
    expect(notes).toEqual([[1, expect.stringContaining('not valid in the encoding "UTF-8"')]]);
  });
});
