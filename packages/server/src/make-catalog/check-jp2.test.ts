import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { checkJp2 } from './check-jp2.ts';

let folder = '';
beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'headwater-jp2-'))));
afterEach(() => rm(folder, { recursive: true, force: true }));

const number = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};
/** Box (section) of a JP2 file; `length` replaces the true length. */
const box = (type: string, content: Buffer, length = 8 + content.length): Buffer =>
  Buffer.concat([number(length), Buffer.from(type, 'latin1'), content]);
const SIGNATURE = box('jP  ', Buffer.from([0x0d, 0x0a, 0x87, 0x0a]));
const headerOf = (rows: number, cols: number): Buffer =>
  box('jp2h', box('ihdr', Buffer.concat([number(rows), number(cols), Buffer.alloc(6)])));
const STREAM = Buffer.from([0xff, 0x4f, 0xff, 0x51, 1, 2, 3, 4, 5, 6, 7, 8, 9, 0xff, 0xd9]);
const HEAD = Buffer.concat([SIGNATURE, headerOf(10_980, 10_980)]);
const LONG = Buffer.concat([number(1), Buffer.from('jp2c'), number(0), number(16 + STREAM.length), STREAM]);

const check = async (...parts: readonly Buffer[]): Promise<void> => {
  const path = join(folder, 'a.jp2');
  await writeFile(path, Buffer.concat(parts));
  await checkJp2(path);
};

it.each([
  ['a box with its length', [HEAD, box('jp2c', STREAM)]],
  ['a box up to the end of the file', [HEAD, box('jp2c', STREAM, 0)]],
  ['a box with a length of 64 bits', [HEAD, LONG]],
  ['a box before others', [HEAD, box('jp2c', STREAM), box('xml ', Buffer.from('<a/>'))]],
  ['only the code stream', [STREAM]],
])('accepts %s', async (_, parts) => {
  await expect(check(...parts)).resolves.toBeUndefined();
});

it.each([
  ['a file without content', [], /it is not JPEG 2000; download it again/],
  ['another format', [Buffer.from('<VRTDataset>')], /it is not JPEG 2000/],
  ['a file without image', [HEAD], /it is truncated: it has no image/],
  [
    'a box whose length is less than the length of its header',
    [HEAD, Buffer.from('\0\0\0\u0004jp2h')],
    /it is truncated: it has no image/,
  ],
  [
    'a cut box',
    [HEAD, box('jp2c', STREAM, 500)],
    /it is truncated: it has \d+ bytes, but needs at least 542; download it again/,
  ],
  ['a cut code stream', [HEAD, box('jp2c', STREAM.subarray(0, 10))], /it is truncated: its image has no end/],
  [
    'too many pixels',
    [SIGNATURE, headerOf(40_000, 40_000), box('jp2c', STREAM)],
    /it has 1600000000 pixels, more than/,
  ],
])('refuses %s', async (_, parts, message) => {
  await expect(check(...parts)).rejects.toThrow(message);
});
