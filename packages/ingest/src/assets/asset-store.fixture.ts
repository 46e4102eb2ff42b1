import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import * as fc from 'fast-check';
import type { AssetFile, AssetStore } from '@headwater/core';

/** A store under test. */
export interface OpenedStore {
  readonly assets: AssetStore;
  /** Publishes the attempts, and moves their files to their final place. */
  settle(): Promise<void>;
}

const RUN = '0198f3c2-7d2e-7aaa-8000-0123456789ab';
const FAR = new Date('2100-01-01T00:00:00Z');

async function textOf(file: AssetFile | undefined, start: number, end: number): Promise<string> {
  return file === undefined ? 'absent' : new Response(file.stream(start, end)).text();
}

type Open = () => OpenedStore | Promise<OpenedStore>;

/** Test cases of every asset store. `open` returns an empty store. */
export function assetStoreCases(open: Open): void {
  readingCases(open);
  removalCases(open);
}

function readingCases(open: Open): void {
  it('writes, describes and reads a file by range, before and after its attempt is published', async () => {
    const { assets, settle } = await open();
    await assets.begin(RUN, 3);
    const body = Buffer.from('नमस्ते, headwater');
    const stored = await assets.write(RUN, 3, 'land.geojson', body.toString());
    const sha256 = createHash('sha256').update(body).digest('hex');
    expect(stored).toEqual({ key: `${RUN}/3/land.geojson`, bytes: body.length, sha256 });
    expect(await assets.stat(RUN, 3, 'land.geojson')).toEqual(stored);
    const before = await assets.open(stored.key);
    await settle();
    const after = await assets.open(stored.key);
    expect([after?.etag, after?.bytes, after?.modified]).toEqual([before?.etag, body.length, before?.modified]);
    expect(after?.etag).toMatch(/^[\w-]+$/);
    for (const file of [before, after]) {
      expect(await textOf(file, 0, body.length - 1)).toBe(body.toString());
      expect(await textOf(file, body.length - 9, body.length - 6)).toBe('head');
    }
  });

  it('streams large files in order, and stops if the reader cancels', async () => {
    const { assets, settle } = await open();
    await assets.begin(RUN, 1);
    const body = Uint8Array.from({ length: 3_500_001 }, (_, i) => (i * 31 + (i >> 8)) % 251);
    const { key } = await assets.write(RUN, 1, 'big.tif', body);
    await settle();
    const file = await assets.open(key);
    for (const [start, end] of [
      [5, 3_500_000],
      [262_140, 262_150],
      [3_000_000, 3_500_000],
    ] as const) {
      const received = await new Response(file?.stream(start, end)).arrayBuffer();
      expect(Buffer.from(received).equals(Buffer.from(body.subarray(start, end + 1)))).toBe(true);
    }
    const reader = file?.stream(0, 3_500_000).getReader();
    expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
    await reader?.cancel();
    expect((await reader?.read())?.done).toBe(true);
    const path = await (assets.localCopy ?? assets.localPath)?.(key);
    expect(path).toMatch(/big\.tif$/);
    expect((await assets.open(key))?.etag).toBe(file?.etag);
  });

  it('writes a body that arrives in pieces, and stores nothing if its source fails', async () => {
    const { assets, settle } = await open();
    await assets.begin(RUN, 1);
    const pieces = async function* (isWhole: boolean): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one, ');
      if (!isWhole) throw new Error('the source failed');
      yield Buffer.from('two');
    };
    const stored = await assets.write(RUN, 1, 'whole.txt', pieces(true));
    await expect(assets.write(RUN, 1, 'half.txt', pieces(false))).rejects.toThrow('the source failed');
    await settle();
    expect(await textOf(await assets.open(stored.key), 0, stored.bytes - 1)).toBe('one, two');
    expect(await assets.open(`${RUN}/1/half.txt`)).toBeUndefined();
  });
}

function removalCases(open: Open): void {
  it('discards an attempt, accepts a second call, and does not change other attempts', async () => {
    const { assets, settle } = await open();
    for (const token of [1, 2]) {
      await assets.begin(RUN, token);
      await assets.write(RUN, token, 'a.txt', 'a');
    }
    await settle();
    await assets.discard(RUN, 1);
    await assets.discard(RUN, 1);
    expect(await assets.open(`${RUN}/1/a.txt`)).toBeUndefined();
    expect(await textOf(await assets.open(`${RUN}/2/a.txt`), 0, 0)).toBe('a');
    await settle();
    expect(await assets.open(`${RUN}/1/a.txt`)).toBeUndefined();
    expect(await assets.localPath?.(`${RUN}/1/a.txt`)).toBeUndefined();
    expect(await textOf(await assets.open(`${RUN}/2/a.txt`), 0, 0)).toBe('a');
  });

  it('prunes only dead attempts', async () => {
    const { assets, settle } = await open();
    for (const token of [1, 2]) {
      await assets.begin(RUN, token);
      await assets.write(RUN, token, 'a.txt', 'a');
    }
    await settle();
    expect(await assets.prune?.(async () => true, new Date(0))).toBe(0);
    expect(await assets.prune?.(async (_run, token) => token === 1, FAR)).toBe(1);
    await settle();
    expect(await assets.open(`${RUN}/1/a.txt`)).toBeUndefined();
    expect(await textOf(await assets.open(`${RUN}/2/a.txt`), 0, 0)).toBe('a');
  });

  it('opens no file for an invalid key, and refuses to store a file under an invalid name', async () => {
    const { assets, settle } = await open();
    await assets.begin(RUN, 1);
    await assets.write(RUN, 1, 'a.txt', 'a');
    await settle();
    const part = fc.oneof(fc.constantFrom('..', '.', '', 'secret.txt', RUN, '1', '%2e%2e'), fc.string());
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 6 }), async (parts) => {
        expect(await assets.open(parts.join('/'))).toBeUndefined();
      }),
    );
    await expect(assets.write(RUN, 1, '../x', 'x')).rejects.toMatchObject({ code: 'input_data' });
  });

  it('reports in its probe that it is writable', async () => {
    const { assets } = await open();
    expect(await assets.probe?.()).toContain('writable');
  });
}
