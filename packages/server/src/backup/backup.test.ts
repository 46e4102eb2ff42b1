import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import {
  chmod,
  copyFile,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { type Database, openDatabase, readMigrations } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { readConfig } from '../config/read-config.ts';
import { openWholeDatabase } from '../database.ts';
import { backupCommand } from './backup-command.ts';
import { BYTES, type Edited, editManifest, fillDatabase, RASTER, rowsOf } from './backup.fixture.ts';
import { backupsIn, MANIFEST, readBackup } from './manifest.ts';
import { makeBackup } from './make-backup.ts';
import { restoreBackup } from './restore-backup.ts';
import { restoreCommand } from './restore-command.ts';

const SAMPLE = resolve(import.meta.dirname, '../../../../e2e/upgrade/data-0.2.0');

let root: string;
/** The embedded database in this folder is open as long as the tests run. */
let dataDir: string;
let database: Database;
let printed = '';
const closing: (() => Promise<void>)[] = [];

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-backup-'));
  dataDir = join(root, 'data');
  await copyDatabase(join(dataDir, 'db'));
  const embedded = await openEmbedded({ dataDir: join(dataDir, 'db') });
  database = openDatabase(embedded.connection);
  closing.push(() => database.close(), embedded.close);
  await fillDatabase(database);
  await write('assets/run1/1/map.tif', BYTES);
  await write('assets/.headwater-folder', 'the id\n');
  await write('assets/run1/1/.map.tif.0123.tmp', 'half');
  await write('places/a/tehsils.geojson', '{}');
  await write('logs/headwater/headwater.log', 'x');
  await write('scratch/host-1/piece', 'x');
  await write('moving/rest/rest.jsonl', 'x');
  await write('secrets/jwt.key', 'the key that signs tokens');
  await chmod(join(dataDir, 'secrets/jwt.key'), 0o600);
  await mkdir(join(root, 'disk/scenes'), { recursive: true });
  await writeFile(join(root, 'disk/scenes/catalog.json'), '{}');
  await symlink(join(root, 'disk'), join(dataDir, 'eo'));
});
afterAll(async () => {
  for (const close of closing) await close();
  await rm(root, { recursive: true, force: true });
});
afterEach(() => {
  process.exitCode = undefined;
  vi.restoreAllMocks();
});

async function write(path: string, content: string | Buffer): Promise<void> {
  await mkdir(join(dataDir, path, '..'), { recursive: true });
  await writeFile(join(dataDir, path), content);
}

async function command(run: typeof backupCommand, of: string, args: readonly string[]): Promise<void> {
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    printed += String(text);
    return true;
  });
  printed = '';
  await run(readConfig({ DATA_DIR: of }), args);
  vi.restoreAllMocks();
}

async function emptyFolder(): Promise<string> {
  const folder = await mkdtemp(join(root, 'empty-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Makes a data folder with a new database. The database is a copy, because its creation takes much longer. */
async function newTarget(): Promise<string> {
  const target = join(await emptyFolder(), 'new');
  await copyDatabase(join(target, 'db'), 'new');
  return target;
}

async function backedUp(target: string, ...options: readonly string[]): Promise<string> {
  await command(backupCommand, dataDir, [target, ...options]);
  return join(target, (await backupsIn(target)).at(-1) ?? '');
}

const madeBackup = async (...options: readonly string[]) => await backedUp(await emptyFolder(), ...options);

let plain: Promise<string> | undefined;

/** Returns the folder of a backup of `dataDir`. It is a copy, because a new backup takes longer. */
async function copiedBackup(): Promise<string> {
  plain ??= backedUp(await mkdtemp(join(root, 'plain-')));
  const copy = await emptyFolder();
  await cp(await plain, copy, { recursive: true, preserveTimestamps: true });
  return copy;
}

/** Opens a database into which `work` restores backups without verification. */
async function opened(
  target: string,
  work: (whole: Database, restore: (backup: string, replace?: boolean) => Promise<void>) => Promise<void>,
): Promise<void> {
  const whole = await openWholeDatabase(readConfig({ DATA_DIR: target }), { isAlone: true });
  try {
    await work(whole, async (backup, replace = false) =>
      restoreBackup(await readBackup(backup), { database: whole, dataDir: target, replace }, () => {}),
    );
  } finally {
    await whole.close();
  }
}

describe('a backup of a service that runs', () => {
  it('is restored with every row and file, and is private', async () => {
    const rows = await rowsOf(database);
    const backup = await madeBackup();
    expect(printed).toContain('1 user, 0 runs, 1 Item, 5 files');
    expect((await stat(backup)).mode & 0o777).toBe(0o700);
    for (const path of ['files/secrets/jwt.key', 'database/users.ndjson.gz', MANIFEST])
      expect((await stat(join(backup, path))).mode & 0o777).toBe(0o600);
    expect((await readdir(join(backup, 'files'))).toSorted()).toEqual(['assets', 'eo', 'places', 'secrets']);
    const target = await newTarget();
    await command(restoreCommand, target, [backup]);
    expect(printed).toContain('all are verified');
    const [stored] = await database.rows(`select value from headwater.installation where name = 'last_backup_at'`);
    expect(stored).toEqual({ value: JSON.parse(await readFile(join(backup, MANIFEST), 'utf8')).createdAt });
    expect(await readFile(join(target, 'assets', RASTER))).toEqual(BYTES);
    expect(await readdir(join(target, 'assets', 'run1', '1'))).toEqual(['map.tif']);
    expect(await readFile(join(target, 'assets/.headwater-folder'), 'utf8')).toBe('the id\n');
    expect((await stat(join(target, 'secrets/jwt.key'))).mode & 0o777).toBe(0o600);
    expect(await readFile(join(target, 'eo/scenes/catalog.json'), 'utf8')).toBe('{}');
    expect((await readdir(target)).toSorted()).toEqual(['assets', 'db', 'eo', 'places', 'secrets']);
    await expect(command(restoreCommand, target, [backup])).rejects.toThrow(
      `${join(target, 'assets')} exists already. Restore into an empty folder, or add --replace`,
    );
    await opened(target, async (whole, restore) => {
      expect(await rowsOf(whole)).toEqual(rows);
      for (const name of ['assets', 'eo', 'places', 'secrets']) await rm(join(target, name), { recursive: true });
      // The files of the backup are missing now. If they were copied before the check for existing data, the error
      // would be another one.
      await rename(join(backup, 'files/assets'), join(backup, 'files/elsewhere'));
      await expect(restore(backup)).rejects.toThrow('already has data');
      await rename(join(backup, 'files/elsewhere'), join(backup, 'files/assets'));
    });
    await mkdir(join(target, 'assets', RASTER, '..'), { recursive: true });
    await writeFile(join(target, 'assets', RASTER), 'other');
    await command(restoreCommand, target, [backup, '--replace']);
    expect(await readFile(join(target, 'assets', RASTER))).toEqual(BYTES);
  });

  it('is not copied into DATA_DIR, and a start is possible, if the restore could not fill the database', async () => {
    const backup = await copiedBackup();
    await editManifest(backup, ({ database: { tables } }) => tables.forEach((table) => (table.rows += 1)));
    const target = await newTarget();
    await expect(command(restoreCommand, target, [backup])).rejects.toThrow('rows were stored, but');
    expect(await readdir(target)).toEqual(['db']);
  });

  it('shares unchanged files with the previous backup, and only the newest backups are kept', async () => {
    const first = await madeBackup();
    const target = join(first, '..');
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await command(backupCommand, dataDir, [target]);
    vi.setSystemTime(Date.now() + 60_000);
    const [, second = ''] = await backupsIn(target);
    const inode = async (backup: string) => (await stat(join(backup, 'files/assets', RASTER))).ino;
    expect(await inode(join(target, second))).toBe(await inode(first));
    await command(backupCommand, dataDir, [target, '--keep', '1']);
    expect(await backupsIn(target)).toHaveLength(1);
    await command(backupCommand, dataDir, ['--verify', target]);
    expect(printed).toContain('is complete: 5 files');
  });

  it('writes its files of rows only after all rows of the embedded database were read', async () => {
    const target = await emptyFolder();
    const isStored = new Set<boolean>();
    const isInDraft = (): boolean =>
      readdirSync(target).some((draft) => existsSync(join(target, draft, 'database/users.ndjson.gz')));
    await makeBackup({
      database,
      dataDir,
      target,
      base: undefined,
      withSecrets: true,
      withInputs: true,
      installation: 'the id',
      version: '0',
      now: new Date(),
      signal: new AbortController().signal,
      progress: (_share, step) => {
        if (step.includes(' rows of ')) isStored.add(isInDraft());
      },
    });
    expect([...isStored]).toEqual([false]);
    expect(isInDraft()).toBe(true);
    expect(await readdir(join(dataDir, 'scratch'))).toEqual(['host-1']);
  });

  it('copies a file of an Item again if the copy in the previous backup is damaged', async () => {
    const base = await madeBackup();
    const file = (of: string) => join(of, 'files/assets', RASTER);
    await writeFile(file(base), 'pixels of the mop');
    const next = await madeBackup('--base', base);
    expect(await readFile(file(next))).toEqual(BYTES);
    expect(await readFile(file(base), 'utf8')).toBe('pixels of the mop');
    const tehsils = async (of: string) => (await stat(join(of, 'files/places/a/tehsils.geojson'))).ino;
    expect(await tehsils(next)).toBe(await tehsils(base));
  });

  it('never removes itself or backups of other installations, and is refused if the clock was set back', async () => {
    const target = join(await madeBackup(), '..');
    const [first = ''] = await backupsIn(target);
    const other = 'headwater-20991231T000000Z';
    await mkdir(join(target, other));
    await copyFile(join(SAMPLE, MANIFEST), join(target, other, MANIFEST));
    vi.useFakeTimers({ now: Date.now() + 60_000, toFake: ['Date'] });
    onTestFinished(() => void vi.useRealTimers());
    await command(backupCommand, dataDir, [target, '--keep', '1']);
    const [second = '', ...more] = await backupsIn(target);
    expect(more).toEqual([other]);
    expect(second > first).toBe(true);
    vi.setSystemTime(Date.now() - 30_000);
    await expect(command(backupCommand, dataDir, [target, '--keep', '1'])).rejects.toThrow(
      `${join(target, second)} is not older than this backup`,
    );
    expect(await backupsIn(target)).toEqual([second, other]);
  });

  it('leaves out the signing key on request, in files and in rows', async () => {
    const backup = await madeBackup('--without-secrets', '--without-inputs');
    expect(printed).toContain(
      'does not contain the key that signs tokens: store this secret in another place. After a restore without this secret, all users must sign in again',
    );
    const stored = gunzipSync(await readFile(join(backup, 'database/installation.ndjson.gz'))).toString();
    expect(stored).toContain('the id');
    expect(stored).not.toContain('the shared key');
    const target = await newTarget();
    await opened(target, async (whole, restore) => {
      await restore(backup);
      expect((await readdir(target)).toSorted()).toEqual(['assets', 'db', 'places']);
      expect((await rowsOf(whole)).get('installation')?.join()).not.toContain('the shared key');
      await mkdir(join(target, 'secrets'));
      await writeFile(join(target, 'secrets/jwt.key'), 'the key of the replaced data');
      await restore(backup, true);
    });
    // The key of the replaced data must not sign tokens of the restored users.
    expect(await readdir(join(target, 'secrets'))).toEqual([]);
  });

  it('of a server on PostgreSQL puts the signing key from its rows into a file of the target', async () => {
    const backup = await copiedBackup();
    await editManifest(backup, (manifest) => (manifest.database.kind = 'postgresql'));
    const target = await newTarget();
    await command(restoreCommand, target, [backup]);
    expect(await readFile(join(target, 'secrets/jwt.key'), 'utf8')).toBe('the shared key');
    expect((await stat(join(target, 'secrets/jwt.key'))).mode & 0o777).toBe(0o600);
  });

  it('reports a file of an Item that has other bytes in DATA_DIR; the exit code is 3', async () => {
    const base = await copiedBackup();
    const path = join(dataDir, 'assets', RASTER);
    await writeFile(path, 'other bytes');
    onTestFinished(() => writeFile(path, BYTES));
    const target = await emptyFolder();
    await mkdir(join(target, 'headwater-20260101T000000Z'));
    await writeFile(join(target, 'headwater-20260101T000000Z', MANIFEST), '{}');
    await database.run(`update headwater.installation set value = 'earlier' where name = 'last_backup_at'`);
    await command(backupCommand, dataDir, [target, '--base', base, '--keep', '1']);
    // The earlier backup was not removed, because it may contain the missing file.
    const [, backup = ''] = await backupsIn(target);
    expect(printed).toContain(`warning: an Item or a layer names assets/${RASTER}, but DATA_DIR does not have`);
    expect(process.exitCode).toBe(3);
    const [stored] = await database.rows(`select value from headwater.installation where name = 'last_backup_at'`);
    expect(stored).toEqual({ value: 'earlier' });
    expect(await readdir(join(target, backup))).toContain(MANIFEST);
  });

  it('says which files are only in a bucket, and restores the notes about them', async () => {
    const [path, note] = [join(dataDir, 'assets', RASTER), `objects/${RASTER.replace(/\/map\.tif$/, '.json')}`];
    await rm(path);
    onTestFinished(() => writeFile(path, BYTES));
    const file = { name: 'map.tif', bytes: 9, version: '1', crc32c: 'AAAAAA==', etag: 'e', modified: new Date(0) };
    await write(note, JSON.stringify({ bucket: 's3://maps', state: 'stored', files: [file] }));
    const backup = await madeBackup();
    expect(printed).toContain('Only s3://maps has 1 file of Items: the backup has their names and checksums');
    await rm(join(dataDir, 'objects'), { recursive: true });
    const target = await newTarget();
    await command(restoreCommand, target, [backup]);
    expect(printed).toContain('Only s3://maps has 1 file of Items: set STORAGE_BUCKET_NAME to this bucket');
    expect(await readFile(join(target, note), 'utf8')).toContain('map.tif');
  });
});

describe('a backup is refused', () => {
  it('if one of its bytes has changed, with the name of the file', async () => {
    const backup = await copiedBackup();
    const file = join(backup, 'files/assets', RASTER);
    await writeFile(file, 'pixels of the mop');
    await truncate(join(backup, 'database/users.ndjson.gz'), 5);
    const target = join(await emptyFolder(), 'new');
    for (const [run, args] of [
      [backupCommand, ['--verify', backup]],
      [restoreCommand, [backup]],
    ] as const)
      await expect(command(run, target, args)).rejects.toThrow(
        /is damaged.*\n.*users\.ndjson\.gz has other bytes.*\n.*map\.tif has other bytes/,
      );
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  it.each([
    ['its files', (manifest: Edited) => manifest.files.forEach((file) => (file.bytes = 1e15))],
    ['its rows', ({ database: { tables } }: Edited) => tables.forEach((table) => (table.bytes = 1e15))],
  ])('before anything is written if the disk has too little space for %s', async (_, change) => {
    const backup = await copiedBackup();
    await editManifest(backup, change);
    const target = join(await emptyFolder(), 'new');
    await expect(command(restoreCommand, target, [backup])).rejects.toThrow(
      /^DATA_DIR: .* needs \d{7,}\.\d GB in .*new, and its disk has \d+\.\d GB free\. Free \d{7,}\.\d GB there/,
    );
    await expect(stat(target)).rejects.toThrow('ENOENT');
  });

  it('if it is incomplete or of a newer version', async () => {
    const target = await emptyFolder();
    await mkdir(join(target, '.unfinished-headwater-20260101T000000Z/database'), { recursive: true });
    await mkdir(join(target, 'headwater-20260101T000000Z/database'), { recursive: true });
    const into = join(target, 'new');
    await expect(command(restoreCommand, into, [target])).rejects.toThrow('there is no complete backup in');
    const backup = await copiedBackup();
    await editManifest(backup, (manifest) => (manifest.database.revision = 9999));
    await expect(command(restoreCommand, into, [backup])).rejects.toThrow(
      `at revision 9999, made by a newer version of Headwater; this version supports revisions up to ${(await readMigrations()).length}`,
    );
    await writeFile(join(backup, MANIFEST), '{"format": 2}');
    await expect(command(restoreCommand, into, [backup])).rejects.toThrow('manifest.json cannot be used (format:');
  });

  it.each([
    ['a\n/../../../etc/cron.d/x'],
    ['../x'],
    ['/etc/x'],
    ['a//x'],
    ['a/./x'],
    ['a\0'],
    ['db/pgdata/PG_VERSION'],
    ['scratch'],
    ['logs/x'],
    ['.restoring/x'],
    ['.replaced/x'],
  ])('if its manifest names a file %j', async (path) => {
    const backup = await emptyFolder();
    await mkdir(join(backup, 'files'));
    const file = { path, mode: 0o644, modifiedMs: 0, bytes: 0, sha256: '0'.repeat(64) };
    const manifest = { ...JSON.parse(await readFile(join(SAMPLE, MANIFEST), 'utf8')), files: [file] };
    await writeFile(join(backup, MANIFEST), JSON.stringify(manifest));
    await expect(command(backupCommand, dataDir, ['--verify', backup])).rejects.toThrow(
      'files.0.path: not a path that a backup may contain',
    );
  });

  it('if one of its files is a link', async () => {
    const backup = await copiedBackup();
    await rm(join(backup, 'files/assets/run1'), { recursive: true });
    await symlink(join(dataDir, 'assets/run1'), join(backup, 'files/assets/run1'));
    await rm(join(backup, 'files/secrets/jwt.key'));
    await symlink(join(dataDir, 'secrets/jwt.key'), join(backup, 'files/secrets/jwt.key'));
    await expect(command(backupCommand, dataDir, ['--verify', backup])).rejects.toThrow(
      /map\.tif is a link or not a file\n.*jwt\.key is a link or not a file/,
    );
  });

  it('before anything is copied, if a folder that it would replace in DATA_DIR is a link', async () => {
    const backup = await copiedBackup();
    const target = await newTarget();
    await symlink(await emptyFolder(), join(target, 'eo'));
    await expect(command(restoreCommand, target, [backup, '--replace'])).rejects.toThrow(
      `${join(target, 'eo')} is a link, and a restore cannot replace it`,
    );
    expect((await readdir(target)).toSorted()).toEqual(['db', 'eo']);
  });

  it.skipIf(process.getuid?.() !== 0)('if a disk is mounted in a folder that it would replace', async () => {
    const backup = await copiedBackup();
    const target = await newTarget();
    const mount = join(target, 'assets', 'a disk');
    await mkdir(mount, { recursive: true });
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', mount], { stdio: 'ignore' });
    if (status !== 0) return;
    onTestFinished(() => void spawnSync('umount', [mount]));
    await expect(command(restoreCommand, target, [backup, '--replace'])).rejects.toThrow(`${mount} is a mount`);
  });

  it('while a service uses the target', async () => {
    const backup = await copiedBackup();
    await expect(command(restoreCommand, dataDir, [backup, '--replace'])).rejects.toThrow(/is in use by process \d+/);
  });

  it('if its folder is inside DATA_DIR', async () => {
    await expect(command(backupCommand, dataDir, [join(dataDir, 'backups')])).rejects.toThrow('is inside DATA_DIR');
  });
});
