import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { pruneAttempts } from './prune-attempts.ts';

const RUN = '01900000-0000-7000-8000-000000000001';
const OTHER = '01900000-0000-7000-8000-000000000002';
let base: string;

beforeEach(async () => {
  base = await mkdtemp(join(tmpdir(), 'prune-'));
  for (const folder of [`${RUN}/1`, `${RUN}/2`, `${OTHER}/1`, 'keep-me/notes']) {
    await mkdir(join(base, folder), { recursive: true });
    await writeFile(join(base, folder, 'a.tif'), 'x');
    await utimes(join(base, folder), new Date(1000), new Date(1000));
  }
});
afterEach(() => rm(base, { recursive: true, force: true }));

it('removes only dead attempts, and removes the folder of a run together with its last attempt', async () => {
  expect(await pruneAttempts(base, async (id, token) => id !== RUN || token !== 2, new Date(2000))).toBe(2);
  expect((await readdir(base)).sort()).toEqual([RUN, 'keep-me']);
  expect(await readdir(join(base, RUN))).toEqual(['2']);
});

it('leaves folders that are younger than the limit', async () => {
  expect(await pruneAttempts(base, async () => true, new Date(500))).toBe(0);
  expect(await readdir(base)).toHaveLength(3);
});

it('lists all folders before it tests the first attempt, so a newer attempt is not removed', async () => {
  const removed = await pruneAttempts(
    base,
    async (id) => {
      await mkdir(join(base, OTHER, '2'), { recursive: true });
      await utimes(join(base, OTHER, '2'), new Date(1000), new Date(1000));
      return id === OTHER;
    },
    new Date(2000),
  );
  expect([removed, await readdir(join(base, OTHER))]).toEqual([1, ['2']]);
});

it('throws if folders cannot be read, instead of reporting that no attempt is dead', async () => {
  const noFolder = join(base, RUN, '1', 'a.tif');
  await expect(pruneAttempts(noFolder, async () => true, new Date(2000))).rejects.toThrow('ENOTDIR');
  expect(await pruneAttempts(join(base, 'nothing-published-yet'), async () => true, new Date(2000))).toBe(0);
});
