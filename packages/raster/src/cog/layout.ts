import type { CogFormat, PixelType } from './cog-image.ts';
import { GHOST_AREA, FRAME } from './ghost-area.ts';
import type { Level } from './levels.ts';
import { levelFields } from './level-fields.ts';
import { directorySize, even, putDirectory } from './tiff-directory.ts';
import { numberField } from './tiff-values.ts';
import type { Field } from './tiff-values.ts';

/** A level and its framed tiles, row-major. */
export interface EncodedLevel {
  readonly level: Level;
  readonly tiles: readonly Uint8Array[];
}

/** Largest offset that a classic TIFF can hold. */
const CLASSIC_LIMIT = 0xffff_ffff;

/** What a header describes. */
interface CogDescription {
  readonly format: CogFormat;
  readonly type: PixelType;
}

/**
 * The bytes before the first tile: TIFF header, ghost area, one directory per level (full resolution first).
 * Tiles follow from the smallest overview to full resolution, as GDAL's COG layout asks.
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

/** Where each directory starts, and where the first tile may. */
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
  const sizes = (encoded?.tiles ?? []).map((tile) => tile.length - FRAME.leader - FRAME.trailer);
  return [numberField(324, big ? 'long8' : 'long', offsets), numberField(325, 'long', sizes)];
}

/** Offsets of the compressed bytes per level, the smallest level first in the file. */
function tileOffsets(levels: readonly EncodedLevel[], dataStart: number): number[][] {
  let at = dataStart;
  const fromSmallest = levels.toReversed().map(({ tiles }) =>
    tiles.map((tile) => {
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
