import type { Geometry, Position } from 'geojson';

/** Kinds of shapes; a Shapefile contains one kind and null shapes. */
export type ShapeKind = 'point' | 'multipoint' | 'line' | 'polygon' | 'none';

/** Numbers of the types of shapes (ESRI Shapefile Technical Description, 1998). */
const TYPES: Readonly<Record<ShapeKind, number>> = { none: 0, point: 1, line: 3, polygon: 5, multipoint: 8 };

/** Size of the header of a .shp or .shx, bytes. */
const HEAD = 100;
/** Size of the header of a record in .shp, and of a whole record in .shx, bytes. */
const RECORD_HEAD = 8;
/** Maximum size of a readable .shp, bytes. */
export const MOST_SHP_BYTES = 2 ** 31 - 1;

/** Kind of shape of a geometry; undefined for a collection. */
export function shapeKindOf(type: Geometry['type']): ShapeKind | undefined {
  if (type === 'Point') return 'point';
  if (type === 'MultiPoint') return 'multipoint';
  if (type === 'GeometryCollection') return undefined;
  return type.endsWith('Polygon') ? 'polygon' : 'line';
}

function partsOf(geometry: Geometry | null): readonly (readonly Position[])[] {
  if (geometry === null || geometry.type === 'GeometryCollection') return [];
  if (geometry.type === 'Point') return [[geometry.coordinates]];
  if (geometry.type === 'MultiPoint' || geometry.type === 'LineString') return [geometry.coordinates];
  if (geometry.type === 'MultiLineString') return geometry.coordinates;
  if (geometry.type === 'Polygon') return geometry.coordinates.map(wound);
  return geometry.coordinates.flatMap((rings) => rings.map(wound));
}

/** Returns a ring in the direction that the format requires: outer rings clockwise, holes counter-clockwise. */
function wound(ring: readonly Position[], at: number): readonly Position[] {
  let twice = 0;
  const [x0 = 0, y0 = 0] = ring[0] ?? [];
  for (let i = 1; i < ring.length; i += 1) {
    const [ax = 0, ay = 0] = ring[i - 1]!;
    const [bx = 0, by = 0] = ring[i]!;
    twice += (ax - x0) * (by - y0) - (bx - x0) * (ay - y0);
  }
  const isClockwise = twice < 0;
  return isClockwise === (at === 0) ? ring : ring.toReversed();
}

/** Size of a record without its header, bytes. */
function contentBytes(kind: ShapeKind, parts: readonly (readonly Position[])[]): number {
  if (parts.length === 0 || kind === 'none') return 4;
  if (kind === 'point') return 20;
  const points = parts.reduce((sum, part) => sum + part.length, 0);
  return (kind === 'multipoint' ? 40 : 44 + 4 * parts.length) + 16 * points;
}

type Box = readonly [number, number, number, number];

function boxOf(parts: readonly (readonly Position[])[]): Box {
  const box: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const part of parts) {
    for (const [x = 0, y = 0] of part) {
      box[0] = Math.min(box[0], x);
      box[1] = Math.min(box[1], y);
      box[2] = Math.max(box[2], x);
      box[3] = Math.max(box[3], y);
    }
  }
  return box;
}

/** The shapes of a file: its index, and its pieces. */
export interface Shapes {
  readonly shpBytes: number;
  /** Content of the .shx file. */
  readonly shx: Uint8Array;
  /** Yields the pieces of the .shp file. */
  shp(): Generator<Uint8Array>;
}

/**
 * Measures the shapes of geometries. `geometryAt` is called again when the shapes are written, so that not all
 * geometries are in memory.
 */
export function shapesOf(kind: ShapeKind, count: number, geometryAt: (index: number) => Geometry | null): Shapes {
  const shx = new DataView(new ArrayBuffer(HEAD + RECORD_HEAD * count));
  const whole: [number, number, number, number] = [Infinity, Infinity, -Infinity, -Infinity];
  let at = HEAD;
  for (let index = 0; index < count; index += 1) {
    const parts = partsOf(geometryAt(index));
    const bytes = contentBytes(kind, parts);
    shx.setInt32(HEAD + RECORD_HEAD * index, at / 2);
    shx.setInt32(HEAD + RECORD_HEAD * index + 4, bytes / 2);
    at += RECORD_HEAD + bytes;
    const box = boxOf(parts);
    for (const side of [0, 1] as const) {
      whole[side] = Math.min(whole[side], box[side]);
      whole[side + 2] = Math.max(whole[side + 2]!, box[side + 2]!);
    }
  }
  const box: Box = whole[0] <= whole[2] ? whole : [0, 0, 0, 0];
  writeHead(shx, kind, { bytes: shx.byteLength, box });
  return {
    shpBytes: at,
    shx: new Uint8Array(shx.buffer),
    *shp() {
      const head = new DataView(new ArrayBuffer(HEAD));
      writeHead(head, kind, { bytes: at, box });
      yield new Uint8Array(head.buffer);
      for (let index = 0; index < count; index += 1) yield record(kind, index, partsOf(geometryAt(index)));
    },
  };
}

function writeHead(view: DataView, kind: ShapeKind, { bytes, box }: { bytes: number; box: Box }): void {
  view.setInt32(0, 9994);
  view.setInt32(24, bytes / 2);
  view.setInt32(28, 1000, true);
  view.setInt32(32, TYPES[kind], true);
  for (const [side, value] of box.entries()) view.setFloat64(36 + 8 * side, value, true);
}

function record(kind: ShapeKind, index: number, parts: readonly (readonly Position[])[]): Uint8Array {
  const bytes = contentBytes(kind, parts);
  const view = new DataView(new ArrayBuffer(RECORD_HEAD + bytes));
  view.setInt32(0, index + 1);
  view.setInt32(4, bytes / 2);
  let at = RECORD_HEAD;
  const int = (value: number): void => {
    view.setInt32(at, value, true);
    at += 4;
  };
  const double = (value: number): void => {
    view.setFloat64(at, value, true);
    at += 8;
  };
  int(bytes === 4 ? TYPES.none : TYPES[kind]);
  if (bytes !== 4) {
    if (kind !== 'point') {
      boxOf(parts).forEach(double);
      if (kind !== 'multipoint') int(parts.length);
      int(parts.reduce((sum, part) => sum + part.length, 0));
      let start = 0;
      if (kind !== 'multipoint') {
        for (const part of parts) {
          int(start);
          start += part.length;
        }
      }
    }
    for (const part of parts) {
      for (const [x = 0, y = 0] of part) {
        double(x);
        double(y);
      }
    }
  }
  return new Uint8Array(view.buffer);
}
