import type { MapColumn } from '@headwater/core/ports';
import type { MapFeature } from '../features/feature-table.ts';
import { ogcError } from '../protocol/ogc-error.ts';
import { cellText, valueOf } from './request.ts';

const NAME_BYTES = 10;
const TEXT_BYTES = 254;
const COLUMNS = 255;
/** Maximum length of a row, bytes; the header stores the length in 16 bits. */
const ROW_BYTES = 2 ** 16 - 1;
/** Length of the longest text of a double, bytes. */
const NUMBER_BYTES = 24;
/** Maximum number of digits that programs read as an integer. */
const INTEGER_BYTES = 18;
const REMEDY = 'choose CSV, GeoJSON or GML, or request fewer columns with propertyName';

/** A column of a dBase table. */
export interface DbfField {
  /** Name of at most 10 bytes. It is unique, also if upper and lower case are not distinguished. */
  readonly name: string;
  readonly column: MapColumn;
  readonly type: 'C' | 'N' | 'L';
  readonly bytes: number;
  readonly decimals: number;
}

/** Returns the fields of these columns. Throws for data that the format cannot hold. */
export function dbfFields(columns: readonly MapColumn[], features: readonly MapFeature[]): readonly DbfField[] {
  if (columns.length > COLUMNS)
    throw tooLarge(`a Shapefile has at most ${COLUMNS} columns, and the response has ${columns.length}`);
  const names = cutNames(columns.map(({ name }) => name));
  const fields = columns.map((column, at) => fieldOf(column, names[at]!, features));
  const bytes = rowBytes(fields);
  if (bytes > ROW_BYTES)
    throw tooLarge(`a row of a Shapefile has at most ${ROW_BYTES} bytes, and the longest row would have ${bytes}`);
  return fields;
}

const tooLarge = (problem: string): Error =>
  ogcError('InvalidParameterValue', 'outputformat', `outputFormat: ${problem}; ${REMEDY}`);

function fieldOf(column: MapColumn, name: string, features: readonly MapFeature[]): DbfField {
  if (column.type === 'boolean') return { name, column, type: 'L', bytes: 1, decimals: 0 };
  if (column.type === 'number') return { name, column, type: 'N', bytes: NUMBER_BYTES, decimals: 15 };
  let bytes = 1;
  for (const feature of features) {
    const value = valueOf(feature, column.name);
    if (value !== undefined) bytes = Math.max(bytes, Buffer.byteLength(cellText(value)));
  }
  if (column.type === 'integer')
    return bytes <= INTEGER_BYTES
      ? { name, column, type: 'N', bytes, decimals: 0 }
      : { name, column, type: 'N', bytes: NUMBER_BYTES, decimals: 15 };
  if (bytes > TEXT_BYTES)
    throw tooLarge(
      `a text of a Shapefile has at most ${TEXT_BYTES} bytes, and a text of column "${column.name}" has ${bytes}`,
    );
  return { name, column, type: 'C', bytes, decimals: 0 };
}

/** Cuts names to 10 bytes. Names that are then equal get a number at the end. */
export function cutNames(names: readonly string[]): readonly string[] {
  const taken = new Set<string>();
  const next = new Map<string, number>();
  return names.map((name) => {
    const start = cut(name.replaceAll('\0', ''), NAME_BYTES);
    const base = start === '' ? 'column' : start;
    let number = next.get(base.toLowerCase()) ?? 0;
    let found = base;
    while (taken.has(found.toLowerCase())) {
      number += 1;
      const end = `_${number}`;
      found = cut(base, NAME_BYTES - end.length) + end;
    }
    next.set(base.toLowerCase(), number);
    taken.add(found.toLowerCase());
    return found;
  });
}

function cut(text: string, bytes: number): string {
  let kept = '';
  for (const character of text) {
    if (Buffer.byteLength(kept + character) > bytes) break;
    kept += character;
  }
  return kept;
}

const rowBytes = (fields: readonly DbfField[]): number => fields.reduce((sum, { bytes }) => sum + bytes, 1);

/** Yields a dBase table (UTF-8). Missing values are blanks, like empty texts; a missing boolean is `?`. */
export function* dbfPieces(
  fields: readonly DbfField[],
  features: readonly MapFeature[],
  changed: Date,
): Generator<Uint8Array> {
  const head = Buffer.alloc(32 * (fields.length + 1) + 1);
  head.set([3, changed.getUTCFullYear() - 1900, changed.getUTCMonth() + 1, changed.getUTCDate()]);
  head.writeUInt32LE(features.length, 4);
  head.writeUInt16LE(head.length, 8);
  head.writeUInt16LE(rowBytes(fields), 10);
  for (const [at, { name, type, bytes, decimals }] of fields.entries()) {
    const start = 32 * (at + 1);
    head.write(name, start, 'utf8');
    head.write(type, start + 11, 'latin1');
    head.set([bytes, decimals], start + 16);
  }
  head[head.length - 1] = 0x0d;
  yield head;
  for (const feature of features) {
    const row = Buffer.alloc(rowBytes(fields), ' ');
    let at = 1;
    for (const field of fields) {
      row.write(fieldText(field, valueOf(feature, field.column.name)), at, 'utf8');
      at += field.bytes;
    }
    yield row;
  }
  yield Buffer.of(0x1a);
}

function fieldText({ type, bytes }: DbfField, value: unknown): string {
  if (type === 'L') return value === undefined ? '?' : value === true ? 'T' : 'F';
  if (value === undefined) return '';
  const text = cellText(value);
  if (type === 'C') return text;
  // JavaScript writes small numbers (down to 0.000001) without an exponent. Such a text may be too long.
  return (text.length > bytes && typeof value === 'number' ? value.toExponential() : text).padStart(bytes);
}
