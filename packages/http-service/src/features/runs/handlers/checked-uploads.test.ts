import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createCheckedUploads } from './checked-uploads.ts';
import type { Upload } from '../../../seam/uploads.ts';

let scratchDir = '';
beforeEach(async () => {
  scratchDir = await mkdtemp(join(tmpdir(), 'headwater-checked-'));
});
afterEach(async () => {
  vi.useRealTimers();
  await rm(scratchDir, { recursive: true, force: true });
});

async function uploaded(text: string): Promise<Upload> {
  const path = join(scratchDir, 'file');
  await writeFile(path, text);
  return { path, fileName: '../in.geojson', fields: { kind: 'places' } };
}

const read = ({ path }: Upload): Promise<string> => readFile(path, 'utf8');

it('returns a file only once and only to its owner, and removes it after the use, also if the use fails', async () => {
  const uploads = createCheckedUploads(100);
  const id = await uploads.keep(await uploaded('one'), { ownerId: 1, scratchDir });
  expect(await uploads.take(id, 2, read)).toBeUndefined();
  expect(await uploads.take(`${id}x`, 1, read)).toBeUndefined();
  expect(await uploads.take(id, 1, read)).toBe('one');
  expect([await uploads.take(id, 1, read), await readdir(scratchDir)]).toEqual([undefined, []]);
  const next = await uploads.keep(await uploaded('two'), { ownerId: 1, scratchDir });
  const failing = uploads.take(next, 1, (_, started) => {
    started();
    return Promise.reject(new Error('the import fails'));
  });
  await expect(failing).rejects.toThrow('fails');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('keeps a file whose import did not start, and refuses a second use at the same time', async () => {
  const uploads = createCheckedUploads(100);
  const id = await uploads.keep(await uploaded('one'), { ownerId: 1, scratchDir });
  const go = Promise.withResolvers<void>();
  const first = uploads.take(id, 1, () => go.promise);
  await expect(uploads.take(id, 1, read)).rejects.toMatchObject({
    code: 'conflict',
    message: expect.stringContaining('is being imported'),
  });
  expect(await uploads.take(id, 2, read)).toBeUndefined();
  go.reject(new Error('no reader is free'));
  await expect(first).rejects.toThrow('free');
  expect(await uploads.take(id, 1, read)).toBe('one');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('removes all files when it closes; a file in use is removed after its use', async () => {
  const uploads = createCheckedUploads(100);
  const used = await uploads.keep(await uploaded('one'), { ownerId: 1, scratchDir });
  await uploads.keep(await uploaded('two'), { ownerId: 1, scratchDir });
  const go = Promise.withResolvers<void>();
  const use = uploads.take(used, 1, () => go.promise);
  await uploads.close();
  expect(await readdir(scratchDir)).toHaveLength(1);
  go.reject(new Error('not started'));
  await expect(use).rejects.toThrow('not started');
  expect(await readdir(scratchDir)).toEqual([]);
});

it('leaves no folder behind if the file cannot be moved', async () => {
  const uploads = createCheckedUploads(100);
  const upload = await uploaded('one');
  // The move fails, because a folder cannot be moved into itself.
  const inside = join(scratchDir, 'inside');
  await mkdir(inside);
  await expect(uploads.keep({ ...upload, path: scratchDir }, { ownerId: 1, scratchDir: inside })).rejects.toThrow(
    'rename',
  );
  expect(await readdir(inside)).toEqual([]);
});

it('removes the oldest files if there are more than 4 files, or too many bytes in all', async () => {
  const uploads = createCheckedUploads(10);
  const ids: string[] = [];
  for (const text of ['a', 'b', 'c', 'd', 'e'])
    ids.push(await uploads.keep(await uploaded(text), { ownerId: 1, scratchDir }));
  expect([await uploads.take(ids[0] ?? '', 1, read), await readdir(scratchDir)]).toEqual([
    undefined,
    expect.any(Array),
  ]);
  expect(await readdir(scratchDir)).toHaveLength(4);
  const large = await uploads.keep(await uploaded('123456789'), { ownerId: 1, scratchDir });
  expect(await readdir(scratchDir)).toHaveLength(2);
  expect([await uploads.take(ids[4] ?? '', 1, read), await uploads.take(large, 1, read)]).toEqual(['e', '123456789']);
});

it('removes a file after an hour', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const uploads = createCheckedUploads(100);
  const id = await uploads.keep(await uploaded('one'), { ownerId: 1, scratchDir });
  vi.advanceTimersByTime(3_599_000);
  expect(await readdir(scratchDir)).toHaveLength(1);
  vi.advanceTimersByTime(1_001);
  vi.useRealTimers();
  expect(await uploads.take(id, 1, read)).toBeUndefined();
  await vi.waitFor(async () => expect(await readdir(scratchDir)).toEqual([]));
});
