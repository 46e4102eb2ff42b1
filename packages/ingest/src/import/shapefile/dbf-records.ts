import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { ByteReader } from './byte-reader.ts';

const [HEADER_BYTES, FIELD_BYTES, FIELDS_END, DELETED] = [32, 32, 0x0d, 0x2a] as const;
/** Encodings that a .cpg or the byte of a .dbf names by another word than the web does. */
const ENCODINGS: Readonly<Record<string, string>> = {
  '65001': 'utf-8',
  '88591': 'iso-8859-1',
  '1252': 'windows-1252',
  '3': 'windows-1252',
  '87': 'windows-1252',
};

/** A row's properties; undefined for one that was deleted. */
export type DbfRow = Readonly<Record<string, unknown>> | undefined;

interface Field {
  readonly name: string;
  readonly isNumber: boolean;
  readonly start: number;
  readonly end: number;
}

/** The rows of a .dbf (dBASE III) in order: texts and numbers, other fields are left out. Throws `BadPlaceFile`. */
export async function* dbfRecords(bytes: ByteReader, cpg: string | undefined): AsyncGenerator<DbfRow> {
  const header = await bytes.need(HEADER_BYTES);
  const [rows, headerSize, rowSize] = [header.readUInt32LE(4), header.readUInt16LE(8), header.readUInt16LE(10)];
  if (headerSize <= HEADER_BYTES || rowSize < 1) throw damaged();
  const fields = fieldsOf(await bytes.need(headerSize - HEADER_BYTES), rowSize);
  const decode = decoderOf(cpg ?? String(header[29] ?? 0));
  for (let i = 0; i < rows; i += 1) {
    const row = await bytes.need(rowSize);
    yield row[0] === DELETED ? undefined : rowOf(row, fields, decode);
  }
}

const damaged = (): BadPlaceFile => new BadPlaceFile('the .dbf is damaged; copy the Shapefile anew');

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

type Decode = (bytes: Uint8Array) => string;

/** Texts are UTF-8 where they can be, else of the encoding that the file names. */
function decoderOf(named: string): Decode {
  const utf8 = new TextDecoder('utf-8', { fatal: true });
  const label = named
    .trim()
    .replace(/^(ANSI|ISO|LDID\/|CP)\s*/i, (word) => (/^iso/i.test(word) ? 'ISO-' : ''))
    .toLowerCase();
  const other = otherDecoder(ENCODINGS[label.replace(/^iso-/, '')] ?? ENCODINGS[label] ?? label);
  return (bytes) => {
    try {
      return utf8.decode(bytes);
    } catch {
      return other.decode(bytes);
    }
  };
}

function otherDecoder(label: string): InstanceType<typeof TextDecoder> {
  try {
    return new TextDecoder(label);
  } catch {
    return new TextDecoder('windows-1252');
  }
}

function rowOf(row: Buffer, fields: readonly Field[], decode: Decode): Readonly<Record<string, unknown>> {
  const values = fields.map(({ name, isNumber, start, end }) => {
    const text = decode(row.subarray(start, end))
      .replace(/[\0 ]+$/, '')
      .trimStart();
    if (text === '') return [name, null] as const;
    return [name, isNumber ? numberOf(text) : text] as const;
  });
  return Object.fromEntries(values);
}

/** A number that was too wide for its field is written as stars. */
function numberOf(text: string): number | null {
  const value = Number(text);
  return Number.isFinite(value) ? value : null;
}
