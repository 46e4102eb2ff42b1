import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../config/read-config.ts';
import { openStores } from '../database.ts';
import { readBackupOptions } from './backup-command.ts';
import { eachOf } from './data-files.ts';

it.each([
  [[], 'FOLDER: one folder'],
  [['a', 'b'], 'FOLDER: one folder'],
  [['a', '--keep', '0'], '--keep: "0" is not a number of backups'],
  [['a', '--verify', 'b'], '--verify: needs only the folder'],
  [['--keep'], '--keep'],
])('%j is refused with the usage', (args, expected) => {
  expect(() => readBackupOptions(args)).toThrow(expected);
  expect(() => readBackupOptions(args)).toThrow('usage: headwater backup');
});

it('starts no further copy after a failure, and waits for the copies in progress', async () => {
  const done: number[] = [];
  const copied = eachOf([...Array(100).keys()], async (item) => {
    if (item === 3) throw new Error('the disk is full');
    await Promise.resolve();
    done.push(item);
  });
  await expect(copied).rejects.toThrow('the disk is full');
  expect(done).toEqual([0, 1, 2, 4, 5, 6, 7]);
});

it('no service starts while a restore has not ended', async () => {
  const target = await mkdtemp(join(tmpdir(), 'headwater-restoring-'));
  onTestFinished(() => rm(target, { recursive: true }));
  await mkdir(join(target, '.restoring'));
  await expect(openStores(readConfig({ DATA_DIR: target }), { onDeath: () => {} })).rejects.toThrow(
    `a restore into ${target} runs, or was interrupted`,
  );
});
