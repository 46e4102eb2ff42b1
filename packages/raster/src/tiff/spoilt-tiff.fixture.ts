import { TiffTag } from '@cogeotiff/core';

/** Classic little-endian TIFFs: bytes of an entry, of a directory's count and of the offset after it. */
const [ENTRY, COUNT, NEXT] = [12, 2, 4];

/** What an entry of the first directory is made to say; what is absent stays. */
export interface Claim {
  readonly tag: number;
  readonly type?: number;
  readonly count?: number;
  /** The value itself, or where it stands. */
  readonly value?: number;
}

/** A copy of a classic little-endian TIFF that makes other claims about its first image. */
export function claiming(tiff: Uint8Array, ...claims: readonly Claim[]): Uint8Array {
  const { copy, view, first } = opened(tiff);
  for (const { tag, type, count, value } of claims) {
    const at = entryOf(view, first, tag);
    if (type !== undefined) view.setUint16(at + 2, type, true);
    if (count !== undefined) view.setUint32(at + 4, count, true);
    if (value === undefined) continue;
    const isShort = view.getUint16(at + 2, true) === 3 && view.getUint32(at + 4, true) === 1;
    if (isShort && value < 65_536) view.setUint32(at + 8, value, true);
    else {
      if (isShort) view.setUint16(at + 2, 4, true);
      view.setUint32(at + 8, value, true);
    }
  }
  return copy;
}

/** A copy whose first directory is followed by itself. */
export function selfPointing(tiff: Uint8Array): Uint8Array {
  const { copy, view, first } = opened(tiff);
  view.setUint32(nextOf(view, first), first, true);
  return copy;
}

/** A copy with `count` small directories more, one after the other. */
export function chained(tiff: Uint8Array, count: number): Uint8Array {
  const size = COUNT + ENTRY + NEXT;
  const start = tiff.length + (tiff.length % 2);
  const { copy, view, first } = opened(tiff, start + count * size);
  let before = nextOf(view, first);
  while (view.getUint32(before, true) !== 0) before = nextOf(view, view.getUint32(before, true));
  for (let i = 0; i < count; i++) {
    const at = start + i * size;
    view.setUint32(before, at, true);
    view.setUint16(at, 1, true);
    view.setUint16(at + COUNT, TiffTag.ImageWidth, true);
    view.setUint16(at + COUNT + 2, 4, true);
    view.setUint32(at + COUNT + 4, 1, true);
    view.setUint32(at + COUNT + 8, 1, true);
    // A second entry would be needed for a whole image; it has no height, as a directory of something else has not.
    before = at + COUNT + ENTRY;
  }
  return copy;
}

/** A copy of 2^17 x 2^17 pixels in tiles of 16: 67 million tiles, whose tables the file cannot hold. */
export function hugeTables(tiff: Uint8Array): Uint8Array {
  const [side, tile] = [2 ** 17, 16];
  const count = (side / tile) ** 2;
  return claiming(
    tiff,
    { tag: TiffTag.ImageWidth, value: side },
    { tag: TiffTag.ImageHeight, value: side },
    { tag: TiffTag.TileWidth, value: tile },
    { tag: TiffTag.TileHeight, value: tile },
    { tag: TiffTag.TileOffsets, count },
    { tag: TiffTag.TileByteCounts, count },
  );
}

interface Opened {
  readonly copy: Uint8Array;
  readonly view: DataView;
  /** Where the first directory begins. */
  readonly first: number;
}

function opened(tiff: Uint8Array, size = tiff.length): Opened {
  const copy = new Uint8Array(size);
  copy.set(tiff);
  const view = new DataView(copy.buffer);
  if (view.getUint16(0, true) !== 0x4949 || view.getUint16(2, true) !== 42)
    throw new Error('only classic little-endian TIFFs are spoilt here');
  return { copy, view, first: view.getUint32(4, true) };
}

function entryOf(view: DataView, directory: number, tag: number): number {
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const at = directory + COUNT + i * ENTRY;
    if (view.getUint16(at, true) === tag) return at;
  }
  throw new Error(`the file has no tag ${tag}`);
}

function nextOf(view: DataView, directory: number): number {
  return directory + COUNT + view.getUint16(directory, true) * ENTRY;
}
