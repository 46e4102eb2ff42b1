import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import { isOpen, listsOpenFiles } from '../../open-files.fixture.ts';
import { openZip, type ZipRules } from './zip-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'sent.xlsx');
const WIDE: ZipRules = {
  entries: 10,
  bytes: 1_000_000,
  refusal: (fault, about) => new Error(`${fault}: ${about}`),
};

async function bytesOf(zip: Uint8Array, name = 'a', rules = WIDE): Promise<number> {
  writeFileSync(path, zip);
  const parts = await openZip(path, rules);
  try {
    let bytes = 0;
    for await (const chunk of parts.read(name)) bytes += chunk.byteLength;
    return bytes;
  } finally {
    parts.close();
  }
}

function claiming(zip: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(zip.slice().buffer);
  const directory = view.getUint32(view.byteLength - 22 + 16, true);
  view.setUint32(directory + 24, bytes, true);
  return new Uint8Array(view.buffer);
}

const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);

it('returns the bytes of a file', async () => {
  expect(await bytesOf(zipSync({ a: zeros(70_000), b: zeros(1) }))).toBe(70_000);
});

it('counts the unpacked bytes of all files, and does not trust the sizes in the directory', async () => {
  const bomb = zipSync({ a: zeros(1_000_001) });
  expect(bomb.byteLength).toBeLessThan(2000);
  await expect(bytesOf(bomb)).rejects.toThrow('bytes: 976 kB');
  await expect(bytesOf(claiming(bomb, 10))).rejects.toThrow('broken: ');
  await expect(bytesOf(claiming(zipSync({ a: zeros(10) }), 20))).rejects.toThrow('broken: ');
});

it('refuses too many files, two files with one name, a name with "..", and bytes that are not an archive', async () => {
  const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, zeros(1)])));
  await expect(bytesOf(many)).rejects.toThrow('entries: 10');
  const twice = zipSync({ a: zeros(1), z: zeros(1) }).map((byte) => (byte === 0x7a ? 0x61 : byte));
  await expect(bytesOf(twice)).rejects.toThrow('twice: a');
  await expect(bytesOf(zipSync({ '../a': zeros(1) }), '../a')).rejects.toThrow('broken: ');
  for (const none of [zeros(0), zeros(100), zipSync({ a: zeros(9) }).subarray(0, 60)])
    await expect(bytesOf(none)).rejects.toThrow('none: ');
});

it('throws for a missing or encrypted file, and passes on an error of its consumer unchanged', async () => {
  const zip = zipSync({ a: zeros(10) });
  await expect(bytesOf(zip, 'b')).rejects.toThrow('missing: b');
  const encrypted = Buffer.from(zip);
  // Bit 0 of the general purpose flags (encrypted, APPNOTE 4.4.4), 8 bytes after the start of the entry.
  const directory = encrypted.indexOf('PK\u0001\u0002');
  encrypted.writeUInt16LE(encrypted.readUInt16LE(directory + 8) | 1, directory + 8);
  await expect(bytesOf(encrypted)).rejects.toThrow('encrypted: a');
  const stopped = (): never => {
    throw new Error('stopped by the consumer');
  };
  await expect(bytesOf(zip, 'a', { ...WIDE, onPiece: stopped })).rejects.toThrow('stopped by the consumer');
});

it.skipIf(!listsOpenFiles)('closes the archive even if a file inside it was not read completely', async () => {
  // Random bytes do not compress, so the packed file has several chunks.
  writeFileSync(path, zipSync({ a: randomBytes(1_000_000) }));
  const parts = await openZip(path, WIDE);
  const part = parts.read('a');
  await part.next();
  expect(isOpen(path)).toBe(true);
  parts.close();
  await expect.poll(() => isOpen(path)).toBe(false);
});
