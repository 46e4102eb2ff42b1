import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { guideFolder } from './guide-folder.ts';

let root: string;
let site: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-guide-'));
  site = join(root, 'site');
  await mkdir(join(site, 'guides'), { recursive: true });
  for (const path of ['index.html', 'guides/embed.html', '.env', '@search.js']) await writeFile(join(site, path), path);
  await writeFile(join(root, 'outside.html'), 'outside');
});
afterAll(() => rm(root, { recursive: true, force: true }));

it('opens the files of the folder, with a version that changes with the file', async () => {
  const { open } = guideFolder(site);
  for (const path of ['index.html', 'guides/embed.html', '@search.js'])
    expect(String(await (await open(path))?.read())).toBe(path);
  const before = await open('index.html');
  await writeFile(join(site, 'index.html'), 'longer than before');
  expect((await open('index.html'))?.version).not.toBe(before?.version);
});

it.each([
  '',
  '.',
  '..',
  '../outside.html',
  'guides',
  'guides/',
  '/index.html',
  '.env',
  'guides/../.env',
  'a\0b',
  'none.html',
])('opens nothing for %j', async (path) => {
  expect(await guideFolder(site).open(path)).toBeUndefined();
});

it('opens nothing if the site is not built', async () => {
  expect(await guideFolder(join(root, 'absent')).open('index.html')).toBeUndefined();
});
