import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { hostname, tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { scratchFolder } from './scratch-folder.ts';

const HOST = hostname().replaceAll(/[^\w.-]/g, '_');
let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-scratch-'));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const deadPid = (): number => Number(execFileSync(process.execPath, ['-p', 'process.pid'], { encoding: 'utf8' }));

it('returns a new folder name each time, without creating the folder', async () => {
  const [first, second] = [
    await scratchFolder(root, { exclusive: false }),
    await scratchFolder(root, { exclusive: false }),
  ];
  expect(first).not.toBe(second);
  expect(basename(first)).toMatch(new RegExp(`^.+-${process.pid}-[0-9a-f]{8}$`));
  expect(await readdir(root)).toEqual([]);
});

it('removes only the folders of dead processes of this host, and idle folders of other hosts', async () => {
  // The second folder is of an earlier process with the same id as this process.
  const dead = [`${HOST}-${deadPid()}-00000000`, `${HOST}-${process.pid}-00000001`, 'elsewhere-1-00000002'];
  const remaining = [`${HOST}-${process.ppid}-00000003`, 'elsewhere-1-00000004', 'notes'];
  for (const name of [...dead, ...remaining]) await mkdir(join(root, name, 'inside'), { recursive: true });
  await utimes(join(root, 'elsewhere-1-00000002'), new Date(0), new Date(0));
  await scratchFolder(root, { exclusive: false });
  expect((await readdir(root)).sort()).toEqual(remaining.sort());
});

it('with an exclusive database, removes all scratch folders except the folder of a running command; other folders stay', async () => {
  const command = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  try {
    await once(command, 'spawn');
    const own = `${HOST}-${command.pid}-00000003`;
    await mkdir(join(root, own, 'import'), { recursive: true });
    for (const name of [`${HOST}-${deadPid()}-00000004`, 'elsewhere-1-00000005', 'notes'])
      await mkdir(join(root, name));
    await scratchFolder(root, { exclusive: true });
    expect((await readdir(root)).sort()).toEqual([own, 'notes'].sort());
    expect(await readdir(join(root, own))).toEqual(['import']);
  } finally {
    command.kill();
  }
});

it('keeps the folders that this process got before', async () => {
  const own = await scratchFolder(root, { exclusive: true });
  await mkdir(own);
  await scratchFolder(root, { exclusive: true });
  expect(await readdir(root)).toEqual([basename(own)]);
});

it('accepts a missing root folder', async () => {
  expect(await scratchFolder(join(root, 'absent'), { exclusive: true })).toContain('absent');
});
