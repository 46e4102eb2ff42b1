import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { FeatureBox } from '../features/feature-table.ts';
import { type Tile, tilesIn } from './matrix.ts';
import { type TileSource, VECTOR_ZOOM, vectorTile } from './vector.ts';

const compressed = promisify(gzip);

/** Maximum number of tiles of a file's deepest zoom. Files of large areas therefore end at a smaller zoom. */
const MOST_TILES = 16_384;

/** A tile with its PMTiles id and its gzipped bytes. */
export interface PackedTile extends Tile {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Deepest zoom of a file for this box. */
export function deepestZoom(box: FeatureBox | null): number {
  if (box === null) return 0;
  const countAt = (zoom: number): number => {
    const { minCol, maxCol, minRow, maxRow } = tilesIn(box, zoom);
    return (maxCol - minCol + 1) * (maxRow - minRow + 1);
  };
  let zoom = VECTOR_ZOOM;
  while (countAt(zoom) > MOST_TILES) zoom -= 1;
  return zoom;
}

/** Maximum size of the tiles of a file, bytes; files of many features end at a smaller zoom. */
export const FILE_BYTES = 48 * 2 ** 20;

/**
 * Yields the tiles that are not empty, in the order of PMTiles ids. Ends before the first zoom with which the
 * tiles would have more than `most` bytes together. Zoom 0 is always included.
 */
export async function* packedTiles(source: TileSource, most = FILE_BYTES): AsyncGenerator<PackedTile> {
  const { box } = source.table;
  if (box === null) return;
  let total = 0;
  for (let zoom = 0; zoom <= deepestZoom(box); zoom += 1) {
    const ofZoom: PackedTile[] = [];
    for (const { id, ...tile } of tilesAt(box, zoom)) {
      const found = await vectorTile(source, tile);
      if (found === undefined) continue;
      const bytes = await compressed(found);
      total += bytes.byteLength;
      if (total > most && zoom > 0) return;
      ofZoom.push({ id, ...tile, bytes });
    }
    yield* ofZoom;
  }
}

function tilesAt(box: FeatureBox, zoom: number): readonly (Tile & { readonly id: number })[] {
  const { minCol, maxCol, minRow, maxRow } = tilesIn(box, zoom);
  const tiles: (Tile & { readonly id: number })[] = [];
  for (let col = minCol; col <= maxCol; col += 1)
    for (let row = minRow; row <= maxRow; row += 1) tiles.push({ zoom, col, row, id: tileId({ zoom, col, row }) });
  return tiles.toSorted((a, b) => a.id - b.id);
}

/** PMTiles id: number of tiles of smaller zooms, plus the position on a Hilbert curve. */
export function tileId({ zoom, col, row: first }: Tile): number {
  let id = (4 ** zoom - 1) / 3;
  let [column, row] = [col, first];
  for (let half = 2 ** (zoom - 1); half >= 1; half /= 2) {
    const [right, lower] = [column >= half ? 1 : 0, row >= half ? 1 : 0];
    id += half * half * ((3 * right) ^ lower);
    column -= right * half;
    row -= lower * half;
    if (lower === 1) continue;
    if (right === 1) [column, row] = [half - 1 - column, half - 1 - row];
    [column, row] = [row, column];
  }
  return id;
}
