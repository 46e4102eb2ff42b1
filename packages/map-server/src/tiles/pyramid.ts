import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import type { MapLayer } from '@headwater/core/ports';
import { toMercator } from '../encodings/coordinates.ts';
import type { FeatureBox, FeatureTable } from '../features/feature-table.ts';
import { type TileAddress, VECTOR_ZOOM, vectorTile } from './vector.ts';

const compressed = promisify(gzip);

/** Maximum number of tiles at the deepest zoom of a file of tiles. The zoom of large areas ends earlier. */
const MOST_TILES = 16_384;
/** Half of the width of the map of EPSG:3857, m. */
const HALF = Math.PI * 6378137;

/** A tile of a file: its address, its id in PMTiles, and its bytes, compressed by gzip. */
export interface PackedTile extends TileAddress {
  readonly id: number;
  readonly bytes: Uint8Array;
}

/** Columns and rows of the tiles that a box touches. */
interface TileRange {
  readonly west: number;
  readonly east: number;
  readonly north: number;
  readonly south: number;
}

function rangeOf([west, south, east, north]: FeatureBox, z: number): TileRange {
  const size = 2 ** z;
  const [left, top] = toMercator(west, north);
  const [right, bottom] = toMercator(east, south);
  const at = (share: number): number => Math.max(0, Math.min(size - 1, Math.floor(share * size)));
  const [x, y] = [(metres: number) => (metres / HALF + 1) / 2, (metres: number) => (1 - metres / HALF) / 2];
  return { west: at(x(left)), east: at(x(right)), north: at(y(top)), south: at(y(bottom)) };
}

/** Deepest zoom of the file of a layer with this box. */
export function deepestZoom(box: FeatureBox | null): number {
  if (box === null) return 0;
  const countAt = (z: number): number => {
    const { west, east, north, south } = rangeOf(box, z);
    return (east - west + 1) * (south - north + 1);
  };
  let z = VECTOR_ZOOM;
  while (countAt(z) > MOST_TILES) z -= 1;
  return z;
}

/** Yields all tiles of a layer that are not empty, by their ids in PMTiles. Other work continues between the tiles. */
export async function* packedTiles(table: FeatureTable, layer: MapLayer): AsyncGenerator<PackedTile> {
  const { box } = table;
  if (box === null) return;
  for (let z = 0; z <= deepestZoom(box); z += 1) {
    for (const { id, ...address } of addressesAt(box, z)) {
      const bytes = vectorTile(table, layer, address);
      if (bytes !== undefined) yield { id, ...address, bytes: await compressed(bytes) };
    }
  }
}

function addressesAt(box: FeatureBox, z: number): readonly (TileAddress & { readonly id: number })[] {
  const { west, east, north, south } = rangeOf(box, z);
  const addresses: (TileAddress & { readonly id: number })[] = [];
  for (let x = west; x <= east; x += 1)
    for (let y = north; y <= south; y += 1) addresses.push({ z, x, y, id: tileId({ z, x, y }) });
  return addresses.toSorted((a, b) => a.id - b.id);
}

/** Id of a tile in PMTiles: the tiles of all smaller zooms, then the position on a Hilbert curve. */
export function tileId({ z, x, y }: TileAddress): number {
  let id = (4 ** z - 1) / 3;
  let [column, row] = [x, y];
  for (let half = 2 ** (z - 1); half >= 1; half /= 2) {
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
