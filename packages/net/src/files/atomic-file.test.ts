import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { freeBytesOf, storageError, writeAtomic } from './atomic-file.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'atomic-'));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe('writeAtomic', () => {
  it('writes thousands of chunks in order', async () => {
    const chunks = Array.from({ length: 3000 }, (_, i) => new Uint8Array(i % 5).fill(i % 256));
    const { bytes } = await writeAtomic(join(folder, 'a'), (sink) => sink.write(chunks));
    expect(readFileSync(join(folder, 'a')).equals(Buffer.concat(chunks))).toBe(true);
    expect(bytes).toBe(6000);
  });

  it('leaves the old file and no temporary file if writing fails', async () => {
    const path = join(folder, 'a');
    writeFileSync(path, 'old');
    const failing = writeAtomic(path, async (sink) => {
      await sink.write([Uint8Array.of(1, 2, 3)]);
      throw new Error('half way');
    });
    await expect(failing).rejects.toThrow('half way');
    expect(readdirSync(folder)).toEqual(['a']);
    expect(readFileSync(path, 'utf8')).toBe('old');
  });
});

/** Mounts a disk of 1 MB. Returns false if mounting fails, usually because the user is not root. */
function mountSmallDisk(path: string): boolean {
  return spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', path], { stdio: 'ignore' }).status === 0;
}

function canMount(): boolean {
  const probe = mkdtempSync(join(tmpdir(), 'mount-'));
  const mounted = mountSmallDisk(probe);
  if (mounted) execFileSync('umount', [probe]);
  else console.warn('writeAtomic on a full disk: skipped, because mounting a small disk needs root');
  rmSync(probe, { recursive: true });
  return mounted;
}

describe.skipIf(!canMount())('writeAtomic on a full disk', () => {
  beforeEach(() => void mountSmallDisk(folder));
  afterEach(() => void execFileSync('umount', [folder]));

  it('throws storage_full with a remedy and removes the written part', async () => {
    const chunks = [new Uint8Array(700_000), new Uint8Array(700_000)];
    await expect(writeAtomic(join(folder, 'a.tif'), (sink) => sink.write(chunks))).rejects.toMatchObject({
      code: 'storage_full',
      message: expect.stringMatching(/^a\.tif: no space left.*Free space/),
    });
    expect(readdirSync(folder)).toEqual([]);
  });
});

describe.skipIf(!existsSync('/dev/full'))('storageError', () => {
  it('returns the error `storage_full`, with the original error as its cause, if the device is full', async () => {
    const caught: unknown = await writeFile('/dev/full', 'x').catch((error: unknown) => error);
    expect(storageError(caught, join(folder, 'a.tif'))).toMatchObject({ code: 'storage_full', cause: caught });
  });

  it('returns other errors unchanged', () => {
    const other = new Error('other');
    expect(storageError(other, 'a.tif')).toBe(other);
  });
});

it('freeBytesOf returns the free bytes of the disk of a folder, and rejects if the folder does not exist', async () => {
  expect(await freeBytesOf(folder)).toBeGreaterThan(0);
  await expect(freeBytesOf(join(folder, 'none'))).rejects.toMatchObject({ code: 'ENOENT' });
});
