import { crc32, deflateSync } from 'node:zlib';
import type { Rgba } from '@headwater/core';

/** An image of palette indices, row-major, `width * height`. */
interface IndexedImage {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
  /** Up to 256 colours; every pixel is an index into it. */
  readonly palette: readonly Rgba[];
}

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE_PALETTE = 3;

/** Encodes a PNG of colour type 3 with 8 bits per pixel, with the alpha of the palette (PNG specification, third edition). */
export function encodeIndexedPng({ width, height, pixels, palette }: IndexedImage): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, COLOR_TYPE_PALETTE);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    chunk('PLTE', Uint8Array.from(palette.flatMap(([r, g, b]) => [r, g, b]))),
    chunk(
      'tRNS',
      Uint8Array.from(palette, ([, , , alpha]) => alpha),
    ),
    chunk('IDAT', deflateSync(scanlines(pixels, width, height), { level: 9 })),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

/** Each row after its filter byte; 0 = no filter, which the specification recommends for palettes. */
function scanlines(pixels: Uint8Array, width: number, height: number): Uint8Array {
  const rows = new Uint8Array((width + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * width, (row + 1) * width), row * (width + 1) + 1);
  return rows;
}

function chunk(type: string, data: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  bytes.set(data, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
