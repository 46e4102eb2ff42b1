import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { AssetFile, AssetStore } from '@headwater/core';
import { assetStoreCases } from './asset-store.fixture.ts';
import { createDirectoryAssets } from './directory-assets.ts';

const RUN = '0198f3c2-7d2e-7aaa-8000-0123456789ab';
let base = '';
let root = '';
let assets: AssetStore;
beforeEach(() => {
  base = mkdtempSync(join(tmpdir(), 'assets-'));
  root = join(base, 'assets');
  assets = createDirectoryAssets(root);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

async function textOf(file: AssetFile | undefined, start: number, end: number): Promise<string> {
  return file === undefined ? 'absent' : new Response(file.stream(start, end)).text();
}

const changed = (reason: string) => ({
  code: 'unavailable',
  message: expect.stringContaining('send the request again'),
  cause: { message: expect.stringContaining(reason) },
});

describe('files in a folder', () => {
  assetStoreCases(() => ({ assets, settle: async () => {} }));
});

describe('createDirectoryAssets', () => {
  it('writes a body that arrives in pieces, and stores nothing if its source fails', async () => {
    await assets.begin(RUN, 1);
    const pieces = async function* (isWhole: boolean): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one, ');
      if (!isWhole) throw new Error('the source failed');
      yield Buffer.from('two');
    };
    const stored = await assets.write(RUN, 1, 'whole.txt', pieces(true));
    expect(stored).toEqual(await assets.stat(RUN, 1, 'whole.txt'));
    expect(await textOf(await assets.open(stored.key), 0, stored.bytes - 1)).toBe('one, two');
    await expect(assets.write(RUN, 1, 'half.txt', pieces(false))).rejects.toThrow('the source failed');
    expect(readdirSync(join(root, RUN, '1'))).toEqual(['whole.txt']);
  });

  it('ends the stream of a truncated file with an error', async () => {
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'a.txt', 'twelve bytes');
    const file = await assets.open(`${RUN}/1/a.txt`);
    writeFileSync(join(root, RUN, '1', 'a.txt'), 'six');
    await expect(textOf(file, 0, 11)).rejects.toMatchObject(changed('before byte 11'));
  });

  it('throws before the first byte of a stream if the file was removed, or replaced by a file of the same size', async () => {
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'a.txt', 'one');
    const file = await assets.open(`${RUN}/1/a.txt`);
    await assets.write(RUN, 1, 'a.txt', 'two');
    await expect(file?.stream(0, 2).getReader().read()).rejects.toMatchObject(changed('was replaced'));
    const other = await assets.open(`${RUN}/1/a.txt`);
    await assets.discard(RUN, 1);
    await expect(other?.stream(0, 2).getReader().read()).rejects.toMatchObject(changed('ENOENT'));
  });

  it('returns the same ETag while the file is the same, and another ETag for a new file', async () => {
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'a.txt', 'one');
    const first = await assets.open(`${RUN}/1/a.txt`);
    expect((await createDirectoryAssets(root).open(`${RUN}/1/a.txt`))?.etag).toBe(first?.etag);
    expect(first?.etag).toMatch(/^[0-9a-f-]+$/);
    await assets.write(RUN, 1, 'a.txt', 'two');
    expect((await assets.open(`${RUN}/1/a.txt`))?.etag).not.toBe(first?.etag);
  });

  it('begins an attempt with an empty folder, discards it, accepts a second discard, and does not change other attempts', async () => {
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'old.txt', 'old');
    expect(readdirSync(await assets.begin(RUN, 1))).toEqual([]);
    await assets.begin(RUN, 2);
    await assets.discard(RUN, 1);
    await assets.discard(RUN, 1);
    expect(readdirSync(join(root, RUN))).toEqual(['2']);
    await assets.discard(RUN, 2);
    expect(readdirSync(root)).toEqual([]);
  });

  it.each([
    `${RUN}/1/../../secret.txt`,
    `${RUN}/../secret.txt`,
    '../secret.txt',
    `${RUN}/1/..`,
    `${RUN}/1/.a.txt.0123.tmp`,
    `${RUN}/1/`,
    `${RUN}/1`,
    `${RUN}/01/a.txt`,
    `${RUN}/-1/a.txt`,
    `${RUN}/1/a.txt/`,
    `/${RUN}/1/a.txt`,
    `${RUN}/1/a\0.txt`,
    `${RUN}\\1\\a.txt`,
    `${RUN}/1/a.txt\n`,
    `${RUN}/1/absent.txt`,
    '',
  ])('does not open %j', async (key) => {
    writeFileSync(join(base, 'secret.txt'), 'secret');
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'a.txt', 'a');
    writeFileSync(join(root, RUN, '1', '.a.txt.0123.tmp'), 'half');
    expect(await assets.open(key)).toBeUndefined();
    expect(await assets.localPath?.(key)).toBeUndefined();
  });

  it('returns the path of a file that it opens', async () => {
    await assets.begin(RUN, 1);
    const { key } = await assets.write(RUN, 1, 'a.txt', 'a');
    expect(await assets.localPath?.(key)).toBe(join(root, RUN, '1', 'a.txt'));
  });

  it('never opens a file outside of its root, for any key', async () => {
    writeFileSync(join(base, 'secret.txt'), 'secret');
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'secret.txt', RUN, '1', '%2e%2e'), fc.string());
    await assets.begin(RUN, 1);
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        expect(await assets.open(parts.join('/'))).toBeUndefined();
      }),
    );
  });

  it('follows no links to files or folders in its root; the root itself may be a link', async () => {
    mkdirSync(join(base, 'outside', '1'), { recursive: true });
    writeFileSync(join(base, 'outside', '1', 'a.txt'), 'secret');
    await assets.begin(RUN, 1);
    symlinkSync(join(base, 'outside', '1', 'a.txt'), join(root, RUN, '1', 'link.txt'));
    symlinkSync(join(base, 'outside'), join(root, 'linked'));
    symlinkSync(root, join(base, 'alias'));
    await assets.write(RUN, 1, 'own.txt', 'own');
    expect(await assets.open(`${RUN}/1/link.txt`)).toBeUndefined();
    expect(await assets.localPath?.(`${RUN}/1/link.txt`)).toBeUndefined();
    expect(await assets.open('linked/1/a.txt')).toBeUndefined();
    expect(await assets.open(`${RUN}/1`)).toBeUndefined();
    const aliased = await createDirectoryAssets(join(base, 'alias')).open(`${RUN}/1/own.txt`);
    expect(await textOf(aliased, 0, 2)).toBe('own');
  });

  it('refuses to store a file under an invalid name', async () => {
    await assets.begin(RUN, 1);
    await expect(assets.write(RUN, 1, '../x', 'x')).rejects.toMatchObject({ code: 'input_data' });
    expect(() => assets.begin('..', 1)).toThrow('cannot be stored');
    await expect(assets.write(RUN, 1.5, 'x', 'x')).rejects.toThrow('cannot be stored');
    expect(readdirSync(join(root, RUN, '1'))).toEqual([]);
  });
});
