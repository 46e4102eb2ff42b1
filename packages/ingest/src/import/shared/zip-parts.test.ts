import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { afterAll, expect, it } from 'vitest';
import type { ImportJob } from './importer.ts';
import { openZip, type ZipLimits } from './zip-parts.ts';

const folder = mkdtempSync(join(tmpdir(), 'headwater-zip-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const path = join(folder, 'sent.xlsx');
const job: ImportJob = { path, fileName: 'sent.xlsx', signal: new AbortController().signal };
const WIDE: ZipLimits = { entries: 10, bytes: 1_000_000 };

async function bytesOf(zip: Uint8Array, limits = WIDE, name = 'a'): Promise<number> {
  writeFileSync(path, zip);
  const parts = await openZip(job, limits);
  try {
    let bytes = 0;
    for await (const chunk of parts.read(name)) bytes += chunk.byteLength;
    return bytes;
  } finally {
    parts.close();
  }
}

/** The archive with the size that its directory claims for its only file. */
function claiming(zip: Uint8Array, bytes: number): Uint8Array {
  const view = new DataView(zip.slice().buffer);
  const directory = view.getUint32(view.byteLength - 22 + 16, true);
  view.setUint32(directory + 24, bytes, true);
  return new Uint8Array(view.buffer);
}

const zeros = (bytes: number): Uint8Array => new Uint8Array(bytes);

it('gives the bytes of a part', async () => {
  expect(await bytesOf(zipSync({ a: zeros(70_000), b: zeros(1) }))).toBe(70_000);
});

it('counts what comes out of all parts, and does not believe what the archive claims', async () => {
  const bomb = zipSync({ a: zeros(1_000_001) });
  expect(bomb.byteLength).toBeLessThan(2000);
  await expect(bytesOf(bomb)).rejects.toMatchObject({
    code: 'validation',
    message: /more than 1000000 bytes come out/,
  });
  await expect(bytesOf(claiming(bomb, 10))).rejects.toThrow('its archive is broken');
  await expect(bytesOf(claiming(zipSync({ a: zeros(10) }), 20))).rejects.toThrow('its archive is broken');
});

it('refuses too many parts, parts of one name, and what is no archive', async () => {
  const many = zipSync(Object.fromEntries(Array.from({ length: 11 }, (_, index) => [`p${index}`, zeros(1)])));
  await expect(bytesOf(many)).rejects.toThrow('more than 10 files');
  const twice = zipSync({ a: zeros(1), z: zeros(1) }).map((byte) => (byte === 0x7a ? 0x61 : byte));
  await expect(bytesOf(twice)).rejects.toThrow('"a" twice');
  await expect(bytesOf(zipSync({ '../a': zeros(1) }), WIDE, '../a')).rejects.toThrow('its archive is broken');
  for (const none of [zeros(0), zeros(100), zipSync({ a: zeros(9) }).subarray(0, 60)])
    await expect(bytesOf(none)).rejects.toThrow('it is no ZIP archive');
});
