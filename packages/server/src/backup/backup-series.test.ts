import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { type Database, openDatabase } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { readConfig } from '../config/read-config.ts';
import { backupCommand } from './backup-command.ts';
import { BYTES, fillDatabase, RASTER } from './backup.fixture.ts';
import { backupsIn, MANIFEST, readBackup } from './manifest.ts';

const HOUR_MS = 3_600_000;
let root: string;
let dataDir: string;
let target: string;
let database: Database;
let printed = '';
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-series-'));
  dataDir = join(root, 'data');
  await copyDatabase(join(dataDir, 'db'));
  const embedded = await openEmbedded({ dataDir: join(dataDir, 'db') });
  database = openDatabase(embedded.connection);
  closing.push(() => database.close(), embedded.close);
  await fillDatabase(database);
  await write(`assets/${RASTER}`, BYTES);
});
afterAll(async () => {
  for (const close of closing) await close();
  await rm(root, { recursive: true, force: true });
});
beforeEach(async () => {
  target = join(await mkdtemp(join(root, 'disk-')), 'backups');
  await mkdir(target);
  vi.useFakeTimers({ now: Date.now(), toFake: ['Date'] });
});
afterEach(() => {
  process.exitCode = undefined;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(dirname(join(dataDir, path)), { recursive: true });
  await writeFile(join(dataDir, path), content);
}

async function command(run: typeof backupCommand, of: string, args: readonly string[]): Promise<void> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  printed = '';
  await run(readConfig({ DATA_DIR: of }), args);
}

async function backUp(...options: readonly string[]): Promise<readonly string[]> {
  vi.setSystemTime(Date.now() + HOUR_MS);
  process.exitCode = undefined;
  await command(backupCommand, dataDir, [target, ...options]);
  return await backupsIn(target);
}

async function damageFile(): Promise<void> {
  await write(`assets/${RASTER}`, 'other bytes');
  onTestFinished(() => write(`assets/${RASTER}`, BYTES));
}

describe('a series of backups', () => {
  it('keeps, in addition to the newest backups, the newest backup with a file that is now missing; the exit code is 3, and the remedy is printed', async () => {
    await backUp();
    const [, whole = ''] = await backUp();
    await damageFile();
    await backUp();
    await backUp('--keep', '2');
    const [newest = '', ...more] = (await backUp('--keep', '2')).toReversed();
    expect(process.exitCode).toBe(3);
    expect(more).toHaveLength(2);
    expect(more.at(-1)).toBe(whole);
    expect(printed).toContain(`copy it from ${whole}/files/assets/${RASTER}`);
    expect(printed).toContain(`not removed, because they have files that are missing in the newest backup: ${whole}`);
    await write(`assets/${RASTER}`, BYTES);
    expect(await backUp('--keep', '2')).toEqual([newest, expect.any(String)]);
    expect(process.exitCode).toBeUndefined();
  });

  it('removes old backups (--keep) even if the new backup fails', async () => {
    await backUp();
    await backUp();
    const [, , last] = await backUp();
    await expect(backUp('--keep', '1', '--base', join(target, 'none'))).rejects.toThrow('there is no complete backup');
    expect(await backupsIn(target)).toEqual([last]);
  });

  it('gets no further backup with --if-older until the newest backup has the age in the option', async () => {
    const [first = ''] = await backUp('--if-older', '3');
    expect(await backUp('--if-older', '3')).toEqual([first]);
    expect(printed).toBe(`no backup is due: ${join(target, first)} is 1.0 hours old\n`);
    await damageFile();
    expect(await backUp('--if-older', '2')).toHaveLength(2);
    // A backup that lacks a file still counts as the newest backup.
    expect(await backUp('--if-older', '2')).toHaveLength(2);
    expect(process.exitCode).toBeUndefined();
  });
});

describe('a backup is refused', () => {
  it('while a restore into its data folder has not ended', async () => {
    await mkdir(join(dataDir, '.restoring'));
    onTestFinished(() => rm(join(dataDir, '.restoring'), { recursive: true }));
    await expect(backUp()).rejects.toThrow(`a restore into ${dataDir} runs, or was interrupted`);
  });

  it('if a link in the path of its folder leads into DATA_DIR', async () => {
    const link = join(target, 'link');
    await symlink(dataDir, link);
    await expect(command(backupCommand, dataDir, [join(link, 'new', 'backups')])).rejects.toThrow('is inside DATA_DIR');
  });

  it('if its folder is a file', async () => {
    const file = join(target, 'file');
    await writeFile(file, '');
    await expect(command(backupCommand, dataDir, [file])).rejects.toThrow(
      `FOLDER: ${file} cannot be used: it is a file. Correct the cause, or set FOLDER to another folder.`,
    );
  });

  it('if the database has no tables of Headwater', async () => {
    const other = join(root, 'other');
    await copyDatabase(join(other, 'db'), 'new');
    await expect(command(backupCommand, other, [target])).rejects.toThrow(
      /^DATA_DIR: .* has no tables of Headwater\. Set DATA_DIR to the value that the service uses/,
    );
    expect(await backupsIn(target)).toEqual([]);
  });
});

it('a backup does not contain earlier backups if a link in DATA_DIR leads to them', async () => {
  await symlink(dirname(target), join(dataDir, 'eo'));
  onTestFinished(() => rm(join(dataDir, 'eo')));
  await backUp();
  const [, second = ''] = await backUp();
  const { manifest } = await readBackup(join(target, second));
  expect(manifest.files.filter(({ path }) => path.endsWith(MANIFEST))).toEqual([]);
});
