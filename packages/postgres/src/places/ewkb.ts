import type { MultiPolygon, Polygon, Position } from 'geojson';

const SRID = 4326;
const [POLYGON, MULTI_POLYGON] = [3, 6] as const;
const [HAS_Z, HAS_SRID] = [0x80000000, 0x20000000] as const;

/** Encodes a polygon as extended well-known binary in hex. If one position has a height, all positions get a height. */
export function ewkbHex(geometry: Polygon | MultiPolygon): string {
  const polygons = geometry.type === 'Polygon' ? [geometry.coordinates] : geometry.coordinates;
  const hasZ = polygons.some((rings) => rings.some((ring) => ring.some((position) => position.length > 2)));
  const writer = new Writer(sizeOf(polygons, hasZ) + 18);
  const [flag, axes] = hasZ ? [HAS_Z, 3] : [0, 2];
  if (geometry.type === 'Polygon') writer.head(POLYGON + flag + HAS_SRID).word(SRID);
  else
    writer
      .head(MULTI_POLYGON + flag + HAS_SRID)
      .word(SRID)
      .word(polygons.length);
  for (const rings of polygons) {
    if (geometry.type === 'MultiPolygon') writer.head(POLYGON + flag);
    writer.word(rings.length);
    for (const ring of rings) writer.ring(ring, axes);
  }
  return writer.hex;
}

function sizeOf(polygons: readonly Position[][][], hasZ: boolean): number {
  const position = hasZ ? 24 : 16;
  const sizes = polygons.map((rings) => rings.reduce((sum, ring) => sum + 4 + ring.length * position, 9));
  return sizes.reduce((sum, size) => sum + size, 0);
}

class Writer {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(size: number) {
    this.#bytes = Buffer.allocUnsafe(size);
  }

  head(type: number): this {
    this.#at = this.#bytes.writeUInt8(1, this.#at);
    return this.word(type);
  }

  word(value: number): this {
    this.#at = this.#bytes.writeUInt32LE(value, this.#at);
    return this;
  }

  ring(ring: readonly Position[], axes: number): void {
    this.word(ring.length);
    for (const position of ring)
      for (let axis = 0; axis < axes; axis += 1) this.#at = this.#bytes.writeDoubleLE(position[axis] ?? 0, this.#at);
  }

  get hex(): string {
    return this.#bytes.toString('hex', 0, this.#at);
  }
}
