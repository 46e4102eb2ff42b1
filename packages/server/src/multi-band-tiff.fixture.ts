import type { PixelGrid } from '@headwater/core';

type Entry = readonly [tag: number, type: 3 | 4 | 12, values: readonly number[]];

const BYTES = { 3: 2, 4: 4, 12: 8 } as const;

/** Encodes bands as an uncompressed GeoTIFF: pixel-interleaved, in a single strip. */
export function multiBandTiff(
  { crs, west, north, pixelWidth, pixelHeight, cols, rows }: PixelGrid,
  bands: readonly (Uint8Array | Uint16Array)[],
): Uint8Array {
  const size = bands[0] instanceof Uint8Array ? 1 : 2;
  const length = cols * rows * bands.length * size;
  const all = (value: number): readonly number[] => bands.map(() => value);
  const extra = bands.slice(1).map(() => 0);
  const entries: readonly Entry[] = [
    [256, 4, [cols]],
    [257, 4, [rows]],
    [258, 3, all(size * 8)],
    [259, 3, [1]],
    [262, 3, [1]],
    [273, 4, [8]],
    [277, 3, [bands.length]],
    [278, 4, [rows]],
    [279, 4, [length]],
    [284, 3, [1]],
    ...(extra.length === 0 ? [] : ([[338, 3, extra]] satisfies Entry[])),
    [339, 3, all(1)],
    [33_550, 12, [pixelWidth, pixelHeight, 0]],
    [33_922, 12, [0, 0, 0, west, north, 0]],
    [34_735, 3, [1, 1, 0, 3, 1024, 0, 1, 1, 1025, 0, 1, 1, 3072, 0, 1, Number(crs.replace('EPSG:', ''))]],
  ];
  const directory = 8 + length + (length % 2);
  const valuesAt = directory + 2 + entries.length * 12 + 4;
  const out = new DataView(
    new ArrayBuffer(valuesAt + entries.reduce((sum, [, type, { length: n }]) => sum + BYTES[type] * n, 0)),
  );
  out.setUint16(0, 0x4949, true);
  out.setUint16(2, 42, true);
  out.setUint32(4, directory, true);
  for (let pixel = 0, at = 8; pixel < cols * rows; pixel += 1)
    for (const band of bands) {
      if (size === 1) out.setUint8(at, band[pixel] ?? 0);
      else out.setUint16(at, band[pixel] ?? 0, true);
      at += size;
    }
  writeDirectory(out, entries, { directory, valuesAt });
  return new Uint8Array(out.buffer);
}

function writeDirectory(
  out: DataView,
  entries: readonly Entry[],
  { directory, valuesAt }: { readonly directory: number; readonly valuesAt: number },
): void {
  out.setUint16(directory, entries.length, true);
  let free = valuesAt;
  for (const [index, [tag, type, values]] of entries.entries()) {
    const at = directory + 2 + index * 12;
    const bytes = BYTES[type] * values.length;
    out.setUint16(at, tag, true);
    out.setUint16(at + 2, type, true);
    out.setUint32(at + 4, values.length, true);
    if (bytes > 4) out.setUint32(at + 8, free, true);
    for (const [i, value] of values.entries()) {
      const to = (bytes > 4 ? free : at + 8) + i * BYTES[type];
      if (type === 3) out.setUint16(to, value, true);
      else if (type === 4) out.setUint32(to, value, true);
      else out.setFloat64(to, value, true);
    }
    if (bytes > 4) free += bytes;
  }
}
