import { crc32 } from 'node:zlib';
import type { AssetFile } from '@headwater/core';
import { badMember } from '../wire/request-error.ts';

const SIGNATURE = Buffer.of(137, 80, 78, 71, 13, 10, 26, 10);
const INDEXED = 3;
/** Maximum size of a picture, bytes. Previews have at most 0.3 MB. */
const MOST_BYTES = 2_000_000;

interface Chunk {
  readonly type: string;
  readonly data: Buffer;
}

/**
 * Returns a copy of a PNG that shows only one class. Throws `validation` if the file is not a picture of classes, or
 * does not show this class.
 */
export async function pictureOfClass(file: AssetFile, value: number): Promise<AssetFile> {
  const chunks = file.bytes > MOST_BYTES ? [] : chunksOf(await bytesOf(file));
  const palette = chunks.find(({ type }) => type === 'PLTE');
  const header = chunks.find(({ type }) => type === 'IHDR')?.data;
  if (header?.[8] !== 8 || header[9] !== INDEXED || palette === undefined)
    throw badMember('class', 'This file is not a picture of classes; leave out the parameter class.');
  const alphas = chunks.find(({ type }) => type === 'tRNS')?.data;
  const alpha = value < palette.data.length / 3 ? (alphas?.[value] ?? 255) : 0;
  if (alpha === 0)
    throw badMember(
      'class',
      `This picture does not show class ${value}; use a value of the layer's legend, or leave out the parameter class.`,
    );
  const transparency = { type: 'tRNS', data: Buffer.alloc(palette.data.length / 3) };
  transparency.data[value] = alpha;
  const shown = chunks
    .filter(({ type }) => type !== 'tRNS')
    .flatMap((chunk) => (chunk === palette ? [chunk, transparency] : [chunk]));
  const bytes = Buffer.concat([SIGNATURE, ...shown.map(written)]);
  return {
    bytes: bytes.length,
    etag: `${file.etag}-class-${value}`,
    modified: file.modified,
    stream: (start, end) => ReadableStream.from([new Uint8Array(bytes.subarray(start, end + 1))]),
  };
}

async function bytesOf(file: AssetFile): Promise<Buffer> {
  return Buffer.from(await new Response(file.stream(0, file.bytes - 1)).arrayBuffer());
}

function chunksOf(bytes: Buffer): readonly Chunk[] {
  if (!bytes.subarray(0, SIGNATURE.length).equals(SIGNATURE)) return [];
  const chunks: Chunk[] = [];
  for (let at = SIGNATURE.length; at + 12 <= bytes.length;) {
    const end = at + 8 + bytes.readUInt32BE(at);
    if (end + 4 > bytes.length) break;
    chunks.push({ type: bytes.toString('latin1', at + 4, at + 8), data: bytes.subarray(at + 8, end) });
    at = end + 4;
  }
  return chunks;
}

function written({ type, data }: Chunk): Buffer {
  const bytes = Buffer.alloc(12 + data.length);
  bytes.writeUInt32BE(data.length, 0);
  bytes.write(type, 4, 'latin1');
  data.copy(bytes, 8);
  bytes.writeUInt32BE(crc32(bytes.subarray(4, 8 + data.length)), 8 + data.length);
  return bytes;
}
