// Copies of a valid TIFF that make false claims about the content.

/** Tag numbers (TIFF 6.0). */
export const TAG = {
  ImageWidth: 256,
  ImageHeight: 257,
  BitsPerSample: 258,
  Compression: 259,
  TileWidth: 322,
  TileHeight: 323,
  TileOffsets: 324,
  TileByteCounts: 325,
  GeoKeyDirectory: 34_735,
};

/** Sizes in bytes: directory entry, number of entries, offset of the next directory. */
const [ENTRY, COUNT, NEXT] = [12, 2, 4];

/** Copy of a classic little-endian TIFF with other values in its first directory. */
export function claiming(tiff, ...claims) {
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

/** Copy whose first directory is also its next directory. */
export function selfPointing(tiff) {
  const { copy, view, first } = opened(tiff);
  view.setUint32(nextOf(view, first), first, true);
  return copy;
}

/** Copy with `count` additional small directories, each of which names the next. */
export function chained(tiff, count) {
  const size = COUNT + ENTRY + NEXT;
  const start = tiff.length + (tiff.length % 2);
  const { copy, view, first } = opened(tiff, start + count * size);
  let before = nextOf(view, first);
  while (view.getUint32(before, true) !== 0) before = nextOf(view, view.getUint32(before, true));
  for (let i = 0; i < count; i++) {
    const at = start + i * size;
    view.setUint32(before, at, true);
    view.setUint16(at, 1, true);
    view.setUint16(at + COUNT, TAG.ImageWidth, true);
    view.setUint16(at + COUNT + 2, 4, true);
    view.setUint32(at + COUNT + 4, 1, true);
    view.setUint32(at + COUNT + 8, 1, true);
    before = at + COUNT + ENTRY;
  }
  return copy;
}

/** Copy that claims 2^17 x 2^17 pixels in tiles of 16 x 16, with tables larger than the file. */
export function hugeTables(tiff) {
  const [side, tile] = [2 ** 17, 16];
  const count = (side / tile) ** 2;
  return claiming(
    tiff,
    { tag: TAG.ImageWidth, value: side },
    { tag: TAG.ImageHeight, value: side },
    { tag: TAG.TileWidth, value: tile },
    { tag: TAG.TileHeight, value: tile },
    { tag: TAG.TileOffsets, count },
    { tag: TAG.TileByteCounts, count },
  );
}

/** Copy in which all tiles share the bytes `tile`. */
export function bombed(tiff, tile) {
  const original = opened(tiff);
  const tiles = original.view.getUint32(entryOf(original.view, original.first, TAG.TileOffsets) + 4, true);
  const at = tiff.length + 8 * tiles;
  const { copy, view } = opened(tiff, at + tile.length);
  copy.set(tile, at);
  for (let i = 0; i < tiles; i++) {
    view.setUint32(tiff.length + 4 * i, at, true);
    view.setUint32(tiff.length + 4 * (tiles + i), tile.length, true);
  }
  // A table with a single value is stored in the entry, otherwise at an offset.
  const [offsets, counts] = tiles === 1 ? [at, tile.length] : [tiff.length, tiff.length + 4 * tiles];
  return claiming(
    copy,
    { tag: TAG.TileOffsets, type: 4, count: tiles, value: offsets },
    { tag: TAG.TileByteCounts, type: 4, count: tiles, value: counts },
  );
}

function opened(tiff, size = tiff.length) {
  const copy = new Uint8Array(size);
  copy.set(tiff);
  const view = new DataView(copy.buffer);
  if (view.getUint16(0, true) !== 0x4949 || view.getUint16(2, true) !== 42)
    throw new Error('not a classic little-endian TIFF');
  return { copy, view, first: view.getUint32(4, true) };
}

function entryOf(view, directory, tag) {
  for (let i = 0; i < view.getUint16(directory, true); i++) {
    const at = directory + COUNT + i * ENTRY;
    if (view.getUint16(at, true) === tag) return at;
  }
  throw new Error(`the file has no tag ${tag}`);
}

function nextOf(view, directory) {
  return directory + COUNT + view.getUint16(directory, true) * ENTRY;
}
