/** A small raster on EPSG:4326, row by row from its north-west corner. */
export interface SmallRaster {
  readonly columns: number;
  readonly rows: number;
  readonly west: number;
  readonly north: number;
  /** Degrees. */
  readonly pixel: number;
  /** NaN = no value. */
  readonly values: Float32Array;
}

const SHORT = 3;
const DOUBLE = 12;
const ASCII = 2;
const LONG = 4;
const WIDTHS: Readonly<Record<number, number>> = { [ASCII]: 1, [SHORT]: 2, [LONG]: 4, [DOUBLE]: 8 };
const HEADER = 8;
const ENTRY = 12;

type Entry = readonly [tag: number, type: number, values: readonly number[]];

/** A float32 GeoTIFF in one uncompressed strip, as somebody else's program may write one; GDAL reads it. */
export function floatGeoTiff({ columns, rows, west, north, pixel, values }: SmallRaster): Uint8Array {
  const strip = (at: number): readonly Entry[] => [
    [256, SHORT, [columns]],
    [257, SHORT, [rows]],
    [258, SHORT, [32]],
    [259, SHORT, [1]],
    [262, SHORT, [1]],
    [273, LONG, [at]],
    [277, SHORT, [1]],
    [278, SHORT, [rows]],
    [279, LONG, [values.byteLength]],
    // Values are IEEE floating point.
    [339, SHORT, [3]],
    [33550, DOUBLE, [pixel, pixel, 0]],
    [33922, DOUBLE, [0, 0, 0, west, north, 0]],
    // Model type geographic, pixels are areas, EPSG:4326.
    [34735, SHORT, [1, 1, 0, 3, 1024, 0, 1, 2, 1025, 0, 1, 1, 2048, 0, 1, 4326]],
    [42113, ASCII, [...'nan\0'].map((letter) => letter.charCodeAt(0))],
  ];
  const directory = directoryBytes(strip(0)).length;
  const bytes = new Uint8Array(HEADER + directory + values.byteLength);
  const view = new DataView(bytes.buffer);
  bytes.set([0x49, 0x49, 42, 0]);
  view.setUint32(4, HEADER, true);
  bytes.set(directoryBytes(strip(HEADER + directory)), HEADER);
  values.forEach((value, index) => view.setFloat32(HEADER + directory + 4 * index, value, true));
  return bytes;
}

function directoryBytes(entries: readonly Entry[]): Uint8Array {
  const table = 2 + ENTRY * entries.length + 4;
  const sizes = entries.map(([, type, values]) => (WIDTHS[type] ?? 1) * values.length);
  const outside = sizes.filter((size) => size > 4).reduce((sum, size) => sum + size, 0);
  const view = new DataView(new ArrayBuffer(table + outside));
  view.setUint16(0, entries.length, true);
  let next = table;
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = 2 + ENTRY * index;
    const size = sizes[index] ?? 0;
    view.setUint16(at, tag, true);
    view.setUint16(at + 2, type, true);
    view.setUint32(at + 4, values.length, true);
    const where = size > 4 ? next : at + 8;
    if (size > 4) view.setUint32(at + 8, HEADER + next, true);
    if (size > 4) next += size;
    for (const [n, value] of values.entries()) put(view, where + n * (WIDTHS[type] ?? 1), { type, value });
  }
  return new Uint8Array(view.buffer);
}

function put(view: DataView, at: number, { type, value }: { readonly type: number; readonly value: number }): void {
  if (type === DOUBLE) view.setFloat64(at, value, true);
  else if (type === LONG) view.setUint32(at, value, true);
  else if (type === SHORT) view.setUint16(at, value, true);
  else view.setUint8(at, value);
}
