import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { ByteReader } from './byte-reader.ts';
import { dbfTexts, type DbfTexts } from './dbf-encoding.ts';

const [HEADER_BYTES, DRIVER, FIELD_BYTES, FIELDS_END, DELETED] = [32, 29, 32, 0x0d, 0x2a] as const;
/** Row of a .dbf; undefined if the row is deleted. */
export type DbfRow = Readonly<Record<string, unknown>> | undefined;

/** Request to read a .dbf. */
export interface DbfReading {
  /** Text of the .cpg. */
  readonly cpg: string | undefined;
  /** Called at most once, with the first row that has a text which cannot be decoded reliably. */
  readonly note: (row: number, note: string) => void;
}

interface Field {
  readonly name: string;
  readonly isNumber: boolean;
  readonly start: number;
  readonly end: number;
}

/** Reads texts and numbers of a .dbf (dBASE III). Throws `BadPlaceFile` for a broken file. */
export async function* dbfRecords(bytes: ByteReader, { cpg, note }: DbfReading): AsyncGenerator<DbfRow> {
  const header = await bytes.need(HEADER_BYTES);
  const [rows, headerSize, rowSize] = [header.readUInt32LE(4), header.readUInt16LE(8), header.readUInt16LE(10)];
  if (headerSize <= HEADER_BYTES || rowSize < 1) throw damaged();
  const fields = fieldsOf(await bytes.need(headerSize - HEADER_BYTES), rowSize);
  const texts = dbfTexts(cpg, header[DRIVER] ?? 0);
  let isNoted = false;
  for (let i = 0; i < rows; i += 1) {
    const row = await bytes.need(rowSize);
    const read = row[0] === DELETED ? undefined : rowOf(row, fields, texts.decode);
    const doubt = isNoted ? undefined : texts.doubt();
    if (doubt !== undefined) {
      note(i + 1, doubt);
      isNoted = true;
    }
    yield read;
  }
}

const damaged = (): BadPlaceFile => new BadPlaceFile('the .dbf is damaged; copy the Shapefile again');

function fieldsOf(bytes: Buffer, rowSize: number): readonly Field[] {
  const fields: Field[] = [];
  let start = 1;
  for (let at = 0; at + FIELD_BYTES <= bytes.length && bytes[at] !== FIELDS_END; at += FIELD_BYTES) {
    const [name = ''] = bytes.toString('latin1', at, at + 11).split('\0', 1);
    const type = String.fromCharCode(bytes[at + 11] ?? 0);
    const end = start + (bytes[at + 16] ?? 0);
    if (end > rowSize) throw damaged();
    if (type === 'C' || type === 'N' || type === 'F') fields.push({ name, isNumber: type !== 'C', start, end });
    start = end;
  }
  return fields;
}

function rowOf(row: Buffer, fields: readonly Field[], decode: DbfTexts['decode']): Readonly<Record<string, unknown>> {
  const values = fields.map(({ name, isNumber, start, end }) => {
    const text = decode(row.subarray(start, end))
      .replace(/[\0 ]+$/, '')
      .trimStart();
    if (text === '') return [name, null] as const;
    return [name, isNumber ? numberOf(text) : text] as const;
  });
  return Object.fromEntries(values);
}

/** Number of a text; null for other texts, such as stars for a number that is too long. */
function numberOf(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
