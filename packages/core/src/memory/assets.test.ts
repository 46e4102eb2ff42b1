import { describe, expect, it } from 'vitest';
import { createMemoryAssets } from './assets.ts';
import { createManualTime } from '../testing/manual-time.ts';

async function textOf(stream: ReadableStream<Uint8Array>): Promise<string> {
  let text = '';
  for await (const chunk of stream) text += new TextDecoder().decode(chunk);
  return text;
}

describe('createMemoryAssets', () => {
  it('opens written files by range, with size and sha-256', async () => {
    const assets = createMemoryAssets();
    await assets.begin('run', 1);
    const file = await assets.write('run', 1, 'a.txt', 'abcdef');
    expect(file).toEqual({
      key: 'run/1/a.txt',
      bytes: 6,
      // Output of `sha256sum` for the six letters of the file.
      sha256: 'bef57ec7f53a6d40beb640a780a639c83bc29ac8a9816f1fc6c5c6dcd93c4721',
    });
    expect(await assets.stat('run', 1, 'a.txt')).toEqual(file);
    const opened = await assets.open('run/1/a.txt');
    expect(opened).toMatchObject({ bytes: 6, etag: file.sha256 });
    expect(await textOf(opened!.stream(1, 3))).toBe('bcd');
    expect(await textOf(opened!.stream(0, 5))).toBe('abcdef');
  });

  it('streams all of a file that is longer than a chunk', async () => {
    const assets = createMemoryAssets();
    await assets.begin('run', 1);
    const long = 'x'.repeat(200_000);
    await assets.write('run', 1, 'long.txt', long);
    const opened = await assets.open('run/1/long.txt');
    expect(await textOf(opened!.stream(0, 199_999))).toBe(long);
  });

  it('accepts files by the path that `begin` returned', async () => {
    const assets = createMemoryAssets();
    const folder = await assets.begin('run', 2);
    await assets.put(`${folder}/map.tif`, new Uint8Array([1, 2, 3]));
    expect((await assets.stat('run', 2, 'map.tif')).bytes).toBe(3);
    await expect(assets.put('/elsewhere/map.tif', 'x')).rejects.toMatchObject({ code: 'not_found' });
  });

  it('begins an attempt with an empty folder, and can discard it twice', async () => {
    const assets = createMemoryAssets();
    await assets.begin('run', 1);
    await assets.write('run', 1, 'a.txt', 'a');
    await assets.begin('run', 1);
    expect(assets.keys()).toEqual([]);
    await assets.discard('run', 1);
    await assets.discard('run', 1);
    await expect(assets.write('run', 1, 'a.txt', 'a')).rejects.toMatchObject({ code: 'not_found' });
  });

  it.each(['../up', 'a/b', '', '.', '..', 'nul\0', '.hidden'])('refuses the name %j', async (name) => {
    const assets = createMemoryAssets();
    await assets.begin('run', 1);
    await expect(assets.write('run', 1, name, 'x')).rejects.toMatchObject({ code: 'validation' });
    expect(await assets.open(`run/1/${name}`)).toBeUndefined();
  });

  it('prunes folders of dead attempts, except folders that are newer than the given time', async () => {
    const time = createManualTime();
    const assets = createMemoryAssets(time);
    for (const token of [1, 2]) {
      await assets.begin('run', token);
      await assets.write('run', token, 'a.txt', 'a');
    }
    await time.advance(10);
    const before = time.now();
    await assets.begin('run', 3);
    await assets.write('run', 3, 'a.txt', 'a');
    expect(await assets.prune(async (id, token) => id !== 'run' || token !== 2, before)).toBe(1);
    expect(assets.keys()).toEqual(['run/2/a.txt', 'run/3/a.txt']);
  });
});
