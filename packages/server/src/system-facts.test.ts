import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test, vi } from 'vitest';
import { bytesIn, folderSize, packageVersions } from './system-facts.ts';

test('returns the versions of the installed packages, without the packages of this repository', async () => {
  const versions = await packageVersions();
  expect(versions).toMatchObject({ fastify: expect.stringMatching(/^5\.\d+\.\d+$/) });
  expect(Object.keys(versions).filter((name) => name.startsWith('@headwater/'))).toEqual([]);
});

test('the size of a folder is measured in the background, and again only after ten minutes', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'headwater-size-'));
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  await mkdir(join(dir, 'assets', 'run'), { recursive: true });
  await writeFile(join(dir, 'key'), 'x'.repeat(10));
  await writeFile(join(dir, 'assets', 'run', 'a.tif'), 'x'.repeat(90));
  let nowMs = 0;
  const size = folderSize(dir, () => nowMs);
  expect(size()).toBeUndefined();
  const measured = { bytes: 100, at: '1970-01-01T00:00:00.000Z' };
  await vi.waitFor(() => expect(size()).toEqual(measured));
  await writeFile(join(dir, 'b.tif'), 'x'.repeat(900));
  nowMs = 599_999;
  expect(size()).toEqual(measured);
  nowMs = 600_000;
  expect(size()).toEqual(measured);
  await vi.waitFor(() => expect(size()?.bytes).toBe(1000));
});

test('a folder that cannot be read is tried again by the next call', async () => {
  const dir = join(tmpdir(), `headwater-size-${crypto.randomUUID()}`);
  onTestFinished(() => rm(dir, { recursive: true, force: true }));
  const size = folderSize(dir);
  expect(size()).toBeUndefined();
  await mkdir(dir);
  await vi.waitFor(() => expect(size()?.bytes).toBe(0));
});

test('the size of a folder is measured although its folders are removed meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'headwater-size-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const names = [...Array(200).keys()].map((i) => join(folder, String(i)));
  for (const name of names) await mkdir(join(name, 'inner'), { recursive: true });
  await writeFile(join(folder, 'file'), 'abc');
  const measured = bytesIn(folder);
  await new Promise(setImmediate);
  for (const name of names) rmSync(name, { recursive: true });
  expect(await measured).toBe(3);
  await expect(bytesIn(join(folder, 'none'))).rejects.toThrow('ENOENT');
});
