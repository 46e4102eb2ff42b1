import type { Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import { nestedRings } from '../../places/ring-nesting.ts';
import type { ToLonLat } from '../features/coordinates.ts';
import { MAX_FEATURE_BYTES } from '../features/raw-feature.ts';
import type { ByteReader } from './byte-reader.ts';

const [HEADER_BYTES, FILE_CODE, WORD] = [100, 9994, 2] as const;
const POLYGONS: ReadonlySet<number> = new Set([5, 15, 25]);
const POLYGON_HEAD = 44;

/** Reads the shapes of a .shp as bytes. Throws `BadPlaceFile` for a broken file, or for other shapes than polygons. */
export async function* shpRecords(bytes: ByteReader): AsyncGenerator<Buffer> {
  const header = await bytes.need(HEADER_BYTES);
  if (header.readInt32BE(0) !== FILE_CODE)
    throw new BadPlaceFile('the .shp has no Shapefile header; zip the Shapefile again');
  const type = header.readInt32LE(32);
  if (!POLYGONS.has(type)) throw new BadPlaceFile('the .shp has no polygons; boundaries are polygons');
  for (let head = await bytes.take(8); head !== undefined; head = await bytes.take(8)) {
    const size = head.readInt32BE(4) * WORD;
    if (size < 4 || size > MAX_FEATURE_BYTES)
      throw new BadPlaceFile(
        `shape ${head.readInt32BE(0)} announces ${size} bytes; the .shp is damaged, copy it again`,
      );
    yield await bytes.need(size);
  }
}

/** Polygons of a shape. Throws `BadPlaceFile` for no geometry, another type, or wrong numbers of rings and points. */
export function shpPolygons(record: Buffer, toLonLat: ToLonLat): Position[][][] {
  const type = record.readInt32LE(0);
  if (type === 0) throw new BadPlaceFile('the shape has no geometry; draw it, or remove the row');
  if (!POLYGONS.has(type)) throw new BadPlaceFile('the shape is not a polygon; write a Shapefile of polygons');
  if (record.length < POLYGON_HEAD) throw tooShort();
  const [rings, points] = [record.readInt32LE(36), record.readInt32LE(40)];
  const start = POLYGON_HEAD + 4 * rings;
  if (rings < 1 || points < 0 || start + 16 * points > record.length) throw tooShort();
  const ends = Array.from({ length: rings }, (_, i) =>
    i + 1 < rings ? record.readInt32LE(POLYGON_HEAD + 4 * (i + 1)) : points,
  );
  let from = record.readInt32LE(POLYGON_HEAD);
  const read = ends.map((end) => {
    if (from < 0 || end < from || end > points) throw tooShort();
    const ring = ringOf(record, { start: start + 16 * from, count: end - from }, toLonLat);
    from = end;
    return ring;
  });
  return nestedRings(read);
}

const tooShort = (): BadPlaceFile =>
  new BadPlaceFile('the shape announces more rings and points than its bytes have; write the Shapefile again');

function ringOf(record: Buffer, { start, count }: { start: number; count: number }, toLonLat: ToLonLat): Position[] {
  return Array.from({ length: count }, (_, i) => {
    const at = start + 16 * i;
    return [...toLonLat(record.readDoubleLE(at), record.readDoubleLE(at + 8))];
  });
}
