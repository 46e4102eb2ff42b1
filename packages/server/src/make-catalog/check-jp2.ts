import { type FileHandle, open } from 'node:fs/promises';
import { DomainError } from '@headwater/core/errors';

/** Maximum number of pixels. A tile of Sentinel-2 at 10 m has 120 million. */
const MOST_PIXELS = 400_000_000;
const MOST_BOXES = 100;
const AGAIN = 'download it again';

interface Box {
  readonly type: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Checks that a JPEG 2000 file is complete, because some versions of GDAL fill lost parts with zeros. Throws
 * `input_data` with the remedy. Format: ISO/IEC 15444-1, annexes A and I.
 */
export async function checkJp2(path: string): Promise<void> {
  const file = await open(path, 'r');
  try {
    const { size } = await file.stat();
    const stream = await codeStream(file, size);
    if (stream.end > size)
      throw refusal(`it is truncated: it has ${size} bytes, but needs at least ${stream.end}; ${AGAIN}`);
    const [first, second] = await bytesAt(file, stream.end - 2, 2);
    if (first !== 0xff || second !== 0xd9) throw refusal(`it is truncated: its image has no end; ${AGAIN}`);
  } finally {
    await file.close();
  }
}

/** Finds the code stream, which is the image itself. */
async function codeStream(file: FileHandle, size: number): Promise<Box> {
  const head = await bytesAt(file, 0, 12);
  // A file with this beginning consists of only the code stream, without boxes.
  if (head.readUInt32BE(0) === 0xff4fff51) return { type: 'jp2c', start: 0, end: size };
  if (head.toString('latin1', 4, 8) !== 'jP  ') throw refusal(`it is not JPEG 2000; ${AGAIN}`);
  let at = 0;
  for (let count = 0; count < MOST_BOXES && at + 8 <= size; count += 1) {
    const box = await boxAt(file, at, size);
    if (box.type === 'jp2c') return box;
    if (box.type === 'jp2h') await checkSize(file, box);
    if (box.end <= at) break;
    at = box.end;
  }
  throw refusal(`it is truncated: it has no image; ${AGAIN}`);
}

async function boxAt(file: FileHandle, at: number, size: number): Promise<Box> {
  const bytes = await bytesAt(file, at, 16);
  const [length, type] = [bytes.readUInt32BE(0), bytes.toString('latin1', 4, 8)];
  // Length 0 means up to the end of the file. Length 1 means a length of 64 bits after the type.
  if (length === 0) return { type, start: at + 8, end: size };
  if (length === 1) return { type, start: at + 16, end: at + Number(bytes.readBigUInt64BE(8)) };
  return { type, start: at + 8, end: at + length };
}

/** Refuses a huge image, because GDAL would fill the disk with its pixels. */
async function checkSize(file: FileHandle, { start }: Box): Promise<void> {
  const header = await bytesAt(file, start, 16);
  if (header.toString('latin1', 4, 8) !== 'ihdr') return;
  const pixels = header.readUInt32BE(8) * header.readUInt32BE(12);
  if (pixels > MOST_PIXELS)
    throw refusal(`it has ${pixels} pixels, more than ${MOST_PIXELS}; cut it with gdal_translate`);
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const buffer = Buffer.alloc(length);
  await file.read(buffer, 0, length, Math.max(0, position));
  return buffer;
}

const refusal = (reason: string): DomainError => new DomainError('input_data', reason);
