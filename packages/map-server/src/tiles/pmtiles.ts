import { hash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import type { MapLayer } from '@headwater/core/ports';
import type { FeatureTable } from '../features/feature-table.ts';
import { packedTiles } from './pyramid.ts';
import { centerOf, type TileSource, vectorLayer } from './vector.ts';

/** An entry of a directory. `run`: number of consecutive tiles with these bytes; 0: the bytes are a leaf directory. */
interface Entry {
  readonly id: number;
  run: number;
  readonly offset: number;
  readonly length: number;
}

const HEAD = 127;
/** Maximum size of the root directory, bytes. Clients read header and root directory in one request of 16,384 bytes. */
const ROOT_BYTES = 16_384 - HEAD;
const LEAF_ENTRIES = 4096;
const GZIP = 2;
const MVT = 1;

/** Returns a PMTiles 3 file with the `packedTiles` of a layer. */
export async function pmtiles(source: TileSource): Promise<Uint8Array> {
  const { table, layer } = source;
  const entries: Entry[] = [];
  const contents = new Map<string, Pick<Entry, 'offset' | 'length'>>();
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  let addressed = 0;
  let maxZoom = 0;
  for await (const { id, zoom, bytes: tile } of packedTiles(source)) {
    maxZoom = zoom;
    addressed += 1;
    const key = hash('sha256', tile);
    const known = contents.get(key);
    const content = known ?? { offset: bytes, length: tile.length };
    if (known === undefined) {
      contents.set(key, content);
      pieces.push(tile);
      bytes += tile.length;
    }
    const last = entries.at(-1);
    if (last !== undefined && last.offset === content.offset && last.id + last.run === id) last.run += 1;
    else entries.push({ id, run: 1, ...content });
  }
  const { root, leaves } = directories(entries);
  const metadata = gzipSync(JSON.stringify(metadataOf(table, layer, maxZoom)));
  const head = headOf({
    lengths: [root.length, metadata.length, leaves.length, bytes],
    counts: [addressed, entries.length, contents.size],
    maxZoom,
    table,
    layer,
  });
  return Buffer.concat([head, root, metadata, leaves, ...pieces]);
}

const metadataOf = (table: FeatureTable, layer: MapLayer, maxZoom: number) => ({
  name: layer.title,
  description: layer.abstract,
  type: 'overlay',
  format: 'pbf',
  vector_layers: [{ ...vectorLayer(layer, table), maxzoom: maxZoom }],
});

interface HeadFacts {
  /** Sizes of root directory, metadata, leaf directories and tiles, bytes. */
  readonly lengths: readonly number[];
  /** Numbers of tiles, entries and different contents. */
  readonly counts: readonly number[];
  readonly maxZoom: number;
  readonly table: FeatureTable;
  readonly layer: MapLayer;
}

function headOf({ lengths, counts, maxZoom, table, layer }: HeadFacts): Uint8Array {
  const head = Buffer.alloc(HEAD);
  head.write('PMTiles', 'latin1');
  head[7] = 3;
  let offset = HEAD;
  for (const [at, length] of lengths.entries()) {
    head.writeBigUInt64LE(BigInt(offset), 8 + 16 * at);
    head.writeBigUInt64LE(BigInt(length), 16 + 16 * at);
    offset += length;
  }
  for (const [at, count] of counts.entries()) head.writeBigUInt64LE(BigInt(count), 72 + 8 * at);
  head.set([1, GZIP, GZIP, MVT, 0, maxZoom], 96);
  const box = table.box ?? layer.box ?? [-180, -85, 180, 85];
  const [lon, lat, zoom] = centerOf(box);
  for (const [at, degrees] of box.entries()) head.writeInt32LE(Math.round(degrees * 1e7), 102 + 4 * at);
  head[118] = Math.min(zoom, maxZoom);
  head.writeInt32LE(Math.round(lon * 1e7), 119);
  head.writeInt32LE(Math.round(lat * 1e7), 123);
  return head;
}

/** Writes the root directory. If it would be too large, leaf directories hold the entries. */
export function directories(entries: readonly Entry[]): { readonly root: Uint8Array; readonly leaves: Uint8Array } {
  const whole = directory(entries);
  if (whole.length <= ROOT_BYTES) return { root: whole, leaves: new Uint8Array() };
  const leaves: Uint8Array[] = [];
  const ofRoot: Entry[] = [];
  let offset = 0;
  for (let at = 0; at < entries.length; at += LEAF_ENTRIES) {
    const part = entries.slice(at, at + LEAF_ENTRIES);
    const leaf = directory(part);
    ofRoot.push({ id: part[0]!.id, run: 0, offset, length: leaf.length });
    leaves.push(leaf);
    offset += leaf.length;
  }
  return { root: directory(ofRoot), leaves: Buffer.concat(leaves) };
}

function directory(entries: readonly Entry[]): Uint8Array {
  const bytes: number[] = [];
  const varint = (value: number): void => {
    let rest = value;
    while (rest > 127) {
      bytes.push((rest % 128) | 128);
      rest = Math.floor(rest / 128);
    }
    bytes.push(rest);
  };
  varint(entries.length);
  let before = 0;
  for (const { id } of entries) {
    varint(id - before);
    before = id;
  }
  for (const { run } of entries) varint(run);
  for (const { length } of entries) varint(length);
  for (const [at, { offset }] of entries.entries()) {
    const previous = entries[at - 1];
    varint(previous !== undefined && offset === previous.offset + previous.length ? 0 : offset + 1);
  }
  return gzipSync(Uint8Array.from(bytes));
}
