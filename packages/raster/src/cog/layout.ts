import type { CogFormat, PixelType } from './cog-image.ts';
import { FRAME, GHOST_AREA } from './ghost-area.ts';
import { levelFields } from './level-fields.ts';
import type { Level } from './levels.ts';
import { type Field, numberField } from './tiff-values.ts';

/** Sizes of the parts of a directory, bytes, for a classic TIFF and for a BigTIFF. */
const CLASSIC = { entry: 12, inline: 4, count: 2, next: 4 } as const;
const BIG = { entry: 20, inline: 8, count: 8, next: 8 } as const;

function directorySize(fields: readonly Field[], big: boolean): number {
  const size = big ? BIG : CLASSIC;
  const outside = fields.reduce((sum, { bytes }) => sum + (bytes.length > size.inline ? even(bytes.length) : 0), 0);
  return size.count + fields.length * size.entry + size.next + outside;
}

interface DirectoryPlace {
  readonly at: number;
  /** Offset of the next directory; 0 in the last directory. */
  readonly next: number;
  readonly big: boolean;
}

/** Writes the entries in the order of their tags, then the values that do not fit into the entries. */
function putDirectory(header: Uint8Array, place: DirectoryPlace, fields: readonly Field[]): void {
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

/** TIFF requires even offsets of values and directories. */
function even(size: number): number {
  return size + (size % 2);
}

/** A level and its framed tiles, row-major. */
export interface EncodedLevel {
  readonly level: Level;
  readonly tiles: readonly Uint8Array[];
}

const CLASSIC_LIMIT = 0xffff_ffff;

interface CogDescription {
  readonly format: CogFormat;
  readonly type: PixelType;
}

/**
 * Makes the bytes before the first tile: TIFF header, ghost area, and one directory per level (full resolution first).
 * The tiles of the smallest overview come next, as in GDAL's COG layout.
 */
export function cogHeader(description: CogDescription, levels: readonly EncodedLevel[]): Uint8Array {
  const tileBytes = levels.reduce((sum, { tiles }) => tiles.reduce((s, tile) => s + tile.length, sum), 0);
  const size = (big: boolean): number => planDirectories(description, levels, big).dataStart;
  const big = description.format.bigTiff ?? size(false) + tileBytes > CLASSIC_LIMIT;
  const plan = planDirectories(description, levels, big);
  const header = new Uint8Array(plan.dataStart);
  putFileHeader(header, plan.starts[0] ?? 0, big);
  const offsets = tileOffsets(levels, plan.dataStart);
  levels.forEach(({ level }, index) => {
    const fields = [...levelFields(description, level, index), ...tileFields(levels[index], offsets[index] ?? [], big)];
    putDirectory(header, { at: plan.starts[index] ?? 0, next: plan.starts[index + 1] ?? 0, big }, fields);
  });
  return header;
}

function planDirectories(
  description: CogDescription,
  levels: readonly EncodedLevel[],
  big: boolean,
): { starts: number[]; dataStart: number } {
  let at = even((big ? 16 : 8) + GHOST_AREA.length);
  const starts = levels.map(({ level, tiles }, index) => {
    const start = at;
    const placeholder = tiles.map(() => 0);
    at += directorySize(
      [...levelFields(description, level, index), ...tileFields(levels[index], placeholder, big)],
      big,
    );
    return start;
  });
  return { starts, dataStart: at };
}

function tileFields(encoded: EncodedLevel | undefined, offsets: readonly number[], big: boolean): Field[] {
  const sizes = (encoded?.tiles ?? []).map((tile) => Math.max(0, tile.length - FRAME.leader - FRAME.trailer));
  return [numberField(324, big ? 'long8' : 'long', offsets), numberField(325, 'long', sizes)];
}

/** Offsets of the tiles of each level. The tiles of the smallest level are first in the file. */
function tileOffsets(levels: readonly EncodedLevel[], dataStart: number): number[][] {
  let at = dataStart;
  const fromSmallest = levels.toReversed().map(({ tiles }) =>
    tiles.map((tile) => {
      // Offset 0 marks a tile that was left out.
      if (tile.length === 0) return 0;
      const offset = at + FRAME.leader;
      at += tile.length;
      return offset;
    }),
  );
  return fromSmallest.toReversed();
}

function putFileHeader(header: Uint8Array, firstDirectory: number, big: boolean): void {
  const view = new DataView(header.buffer);
  header.set([0x49, 0x49, big ? 43 : 42, 0]);
  if (big) {
    view.setUint16(4, 8, true);
    view.setBigUint64(8, BigInt(firstDirectory), true);
  } else view.setUint32(4, firstDirectory, true);
  header.set(GHOST_AREA, big ? 16 : 8);
}
