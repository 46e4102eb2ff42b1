const PAYLOAD = [
  'LAYOUT=IFDS_BEFORE_DATA',
  'BLOCK_ORDER=ROW_MAJOR',
  'BLOCK_LEADER=SIZE_AS_UINT4',
  'BLOCK_TRAILER=LAST_4_BYTES_REPEATED',
  'KNOWN_INCOMPATIBLE_EDITION=NO',
  // GDAL replaces NO by YES in place; the blank reserves the additional byte.
  ' ',
].join('\n');

/**
 * GDAL's structural metadata after the TIFF header. They declare the frame of each tile: the size (uint32) before the
 * tile, and a copy of the last 4 bytes after the tile. The declared length must be exact, because the first directory
 * follows.
 */
export const GHOST_AREA: Uint8Array = new TextEncoder().encode(
  `GDAL_STRUCTURAL_METADATA_SIZE=${String(PAYLOAD.length).padStart(6, '0')} bytes\n${PAYLOAD}`,
);

/** Numbers of bytes before (leader) and after (trailer) a tile. */
export const FRAME = { leader: 4, trailer: 4 } as const;

/** Returns a compressed tile with its leader and trailer. */
export function frameTile(tile: Uint8Array): Uint8Array {
  const framed = new Uint8Array(FRAME.leader + tile.length + FRAME.trailer);
  new DataView(framed.buffer).setUint32(0, tile.length, true);
  framed.set(tile, FRAME.leader);
  framed.set(tile.subarray(tile.length - FRAME.trailer), FRAME.leader + tile.length);
  return framed;
}
