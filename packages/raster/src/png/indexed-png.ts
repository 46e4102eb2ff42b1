import { promisify } from 'node:util';
import { crc32, deflate, deflateSync } from 'node:zlib';
import type { Rgba } from '@headwater/core';
import type { MapPicture } from '@headwater/core/ports';

interface IndexedImage extends MapPicture {
  /** Up to 256 colours. Every pixel is an index into this palette. */
  readonly palette: readonly Rgba[];
}

const SIGNATURE = Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10);
const COLOR_TYPE = { palette: 3, rgba: 6 } as const;

/**
 * Encodes a PNG of colour type 3 with 8 bits per pixel and an alpha value for each colour (PNG specification, third
 * edition).
 */
export function encodeIndexedPng(image: IndexedImage): Uint8Array {
  return assemble(image, deflateSync(scanlines(image), { level: 9 }));
}

const compress = promisify(deflate);
/**
 * Compression level of maps. Higher levels take up to four times the time and save only a tenth of the bytes of a class
 * map.
 */
const MAP_LEVEL = 4;

/** Encodes a picture as PNG. Compresses it outside of the event loop. */
export async function encodePicture(picture: MapPicture): Promise<Uint8Array> {
  return assemble(picture, await compress(scanlines(picture), { level: MAP_LEVEL }));
}

function assemble({ width, height, palette }: MapPicture, data: Uint8Array): Uint8Array {
  const header = new DataView(new ArrayBuffer(13));
  header.setUint32(0, width);
  header.setUint32(4, height);
  header.setUint8(8, 8);
  header.setUint8(9, palette === null ? COLOR_TYPE.rgba : COLOR_TYPE.palette);
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', new Uint8Array(header.buffer)),
    ...(palette === null ? [] : paletteChunks(palette)),
    chunk('IDAT', data),
    chunk('IEND', new Uint8Array(0)),
  ]);
}

function paletteChunks(palette: readonly Rgba[]): readonly Uint8Array[] {
  return [
    chunk('PLTE', Uint8Array.from(palette.flatMap(([r, g, b]) => [r, g, b]))),
    chunk(
      'tRNS',
      Uint8Array.from(palette, ([, , , alpha]) => alpha),
    ),
  ];
}

/** Returns the rows of a picture, each after the filter byte 0, which the PNG specification recommends for palettes. */
function scanlines({ pixels, width, height, palette }: MapPicture): Uint8Array {
  const bytes = palette === null ? 4 * width : width;
  const rows = new Uint8Array((bytes + 1) * height);
  for (let row = 0; row < height; row += 1)
    rows.set(pixels.subarray(row * bytes, (row + 1) * bytes), row * (bytes + 1) + 1);
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
