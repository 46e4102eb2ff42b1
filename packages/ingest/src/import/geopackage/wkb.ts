import type { MultiPolygon, Polygon, Position } from 'geojson';
import { BadPlaceFile } from '../../places/bad-place-file.ts';
import type { ToLonLat } from '../features/coordinates.ts';

const [POLYGON, MULTI_POLYGON] = [3, 6] as const;
const DOUBLE = 8;

/** Reads well-known binary (OGC 06-103r4) sequentially; drops heights and measures. */
class WkbReader {
  readonly #view: DataView;
  readonly #toLonLat: ToLonLat;
  #at: number;

  constructor(bytes: Uint8Array, start: number, toLonLat: ToLonLat) {
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    [this.#at, this.#toLonLat] = [start, toLonLat];
  }

  geometry(): Polygon | MultiPolygon {
    const { type, size, isLittle } = this.#head();
    if (type === POLYGON) return { type: 'Polygon', coordinates: this.#rings(size, isLittle) };
    if (type !== MULTI_POLYGON) throw new BadPlaceFile('the geometry must be a Polygon or a MultiPolygon');
    const count = this.#count(isLittle, 9);
    return { type: 'MultiPolygon', coordinates: Array.from({ length: count }, () => this.#part()) };
  }

  #part(): Position[][] {
    const { type, size, isLittle } = this.#head();
    if (type !== POLYGON) throw new BadPlaceFile('the geometry is a MultiPolygon with parts that are not Polygons');
    return this.#rings(size, isLittle);
  }

  /**
   * Reads byte order, type, and number of doubles per position. Supports the types of ISO (1003, 2003, 3003) and the type flags of PostGIS.
   */
  #head(): { readonly type: number; readonly size: number; readonly isLittle: boolean } {
    this.#need(5);
    const isLittle = this.#view.getUint8(this.#at) === 1;
    const code = this.#view.getUint32(this.#at + 1, isLittle);
    this.#at += 5;
    const iso = Math.floor((code & 0xffff) / 1000);
    const hasZ = (code & 0x80000000) !== 0 || iso === 1 || iso === 3;
    const hasM = (code & 0x40000000) !== 0 || iso === 2 || iso === 3;
    if ((code & 0x20000000) !== 0) this.#at += 4;
    return { type: (code & 0xffff) % 1000, size: 2 + Number(hasZ) + Number(hasM), isLittle };
  }

  #rings(size: number, isLittle: boolean): Position[][] {
    const count = this.#count(isLittle, 4);
    return Array.from({ length: count }, () => this.#ring(size, isLittle));
  }

  #ring(size: number, isLittle: boolean): Position[] {
    const count = this.#count(isLittle, size * DOUBLE);
    const ring: Position[] = [];
    for (let i = 0; i < count; i += 1) {
      const [lon, lat] = this.#toLonLat(
        this.#view.getFloat64(this.#at, isLittle),
        this.#view.getFloat64(this.#at + DOUBLE, isLittle),
      );
      ring.push([lon, lat]);
      this.#at += size * DOUBLE;
    }
    return ring;
  }

  /** Reads the number of parts that follow; each part has at least `least` bytes. Throws if fewer bytes remain than this number of parts needs. */
  #count(isLittle: boolean, least: number): number {
    this.#need(4);
    const count = this.#view.getUint32(this.#at, isLittle);
    this.#at += 4;
    this.#need(count * least);
    return count;
  }

  #need(bytes: number): void {
    if (this.#at + bytes > this.#view.byteLength)
      throw new BadPlaceFile('the geometry is shorter than its header announces; write the file again');
  }
}

/** Reads a polygon from WKB bytes, beginning at `start`. Throws `BadPlaceFile` for other types and for incomplete bytes. */
export function readWkb(bytes: Uint8Array, start: number, toLonLat: ToLonLat): Polygon | MultiPolygon {
  return new WkbReader(bytes, start, toLonLat).geometry();
}
