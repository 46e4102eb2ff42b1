import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { createDirectoryAssets } from './directory-assets.ts';

it('reports whether the folder of assets is writable, and leaves no file in it', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'headwater-folder-'));
  const root = join(dir, 'assets');
  const assets = createDirectoryAssets(root);
  expect(await assets.probe?.()).toMatch(/is writable/);
  expect(await readdir(root)).toEqual([]);
  await rm(root, { recursive: true });
  await writeFile(root, 'a file where a folder should be');
  await expect(assets.probe?.()).rejects.toThrow(/assets/);
  await rm(root);
  expect(await assets.probe?.()).toMatch(/is writable/);
  await rm(dir, { recursive: true });
});
