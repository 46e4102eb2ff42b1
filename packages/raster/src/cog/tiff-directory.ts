import type { Field } from './tiff-values.ts';

/** Sizes of classic TIFF and BigTIFF structures, in bytes. */
const CLASSIC = { entry: 12, inline: 4, count: 2, next: 4 } as const;
const BIG = { entry: 20, inline: 8, count: 8, next: 8 } as const;

/** Bytes that a directory takes with the values that do not fit into its entries. */
export function directorySize(fields: readonly Field[], big: boolean): number {
  const size = big ? BIG : CLASSIC;
  const outside = fields.reduce((sum, { bytes }) => sum + (bytes.length > size.inline ? even(bytes.length) : 0), 0);
  return size.count + fields.length * size.entry + size.next + outside;
}

/** Where a directory goes and what follows it. */
interface DirectoryPlace {
  readonly at: number;
  /** Offset of the next directory, 0 after the last. */
  readonly next: number;
  readonly big: boolean;
}

/** Writes a directory into `header` at its place: entries in order of tag, then the values that do not fit inside. */
export function putDirectory(header: Uint8Array, place: DirectoryPlace, fields: readonly Field[]): void {
  const size = place.big ? BIG : CLASSIC;
  const view = new DataView(header.buffer, header.byteOffset, header.byteLength);
  const number = place.big ? putLong8 : putLong;
  if (place.big) putLong8(view, place.at, fields.length);
  else view.setUint16(place.at, fields.length, true);
  let entry = place.at + size.count;
  let outside = entry + fields.length * size.entry + size.next;
  for (const field of fields.toSorted((a, b) => a.tag - b.tag)) {
    view.setUint16(entry, field.tag, true);
    view.setUint16(entry + 2, field.code, true);
    number(view, entry + 4, field.count);
    const value = entry + 4 + size.inline;
    if (field.bytes.length <= size.inline) header.set(field.bytes, value);
    else {
      number(view, value, outside);
      header.set(field.bytes, outside);
      outside += even(field.bytes.length);
    }
    entry += size.entry;
  }
  number(view, entry, place.next);
}

function putLong(view: DataView, at: number, value: number): void {
  view.setUint32(at, value, true);
}

function putLong8(view: DataView, at: number, value: number): void {
  view.setBigUint64(at, BigInt(value), true);
}

/** TIFF wants values and directories at even offsets. */
export function even(size: number): number {
  return size + (size % 2);
}
