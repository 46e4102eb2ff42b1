import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { copyOut, type Database, openDatabase, parseConnection } from '@headwater/postgres';
import { openEmbedded } from '@headwater/postgres/embedded';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { copyDatabase } from '../../../../scripts/database-template.mjs';
import { readConfig } from '../config/read-config.ts';
import { backupCommand } from './backup-command.ts';
import { moveDatabaseCommand, restoreCommand } from './restore-command.ts';

const address = process.env['HEADWATER_TEST_PG'] ?? '';
if (address === '') console.log('skipped: moves to PostgreSQL run with `npm run test:postgres`');

const SAMPLE = resolve(import.meta.dirname, '../../../../e2e/upgrade/data-0.2.0');
const NAMES = ['headwater_move', 'headwater_restore'] as const;

async function rowsOf(database: Database) {
  const rows = new Map<string, readonly string[]>();
  const { sequences } = await copyOut(database, async ({ name }, batches) => {
    const all: string[] = [];
    for await (const batch of batches) all.push(...batch);
    rows.set(name, all.toSorted());
  });
  return { rows, sequences };
}

describe.skipIf(address === '')('from the embedded database to PostgreSQL and back', () => {
  let root: string;
  let dataDir: string;
  let server: Database;
  const connection = address === '' ? undefined : parseConnection(address);
  const settings = (folder: string, name?: string) =>
    readConfig({
      DATA_DIR: folder,
      ...(name === undefined || connection === undefined
        ? {}
        : {
            DB_HOST: connection.host,
            DB_PORT: String(connection.port),
            DB_NAME: name,
            DB_USER: connection.user,
            DB_PASSWORD: connection.password ?? '',
          }),
    });
  const inPostgres = async <T>(name: string, work: (database: Database) => Promise<T>): Promise<T> => {
    const database = openDatabase({ ...parseConnection(address), database: name });
    try {
      return await work(database);
    } finally {
      await database.close();
    }
  };
  const inFolder = async <T>(folder: string, work: (database: Database) => Promise<T>): Promise<T> => {
    const embedded = await openEmbedded({ dataDir: join(folder, 'db') });
    const database = openDatabase(embedded.connection);
    try {
      return await work(database);
    } finally {
      await database.close();
      await embedded.close();
    }
  };
  beforeAll(async () => {
    vi.spyOn(process.stdout, 'write').mockReturnValue(true);
    root = await mkdtemp(join(tmpdir(), 'headwater-move-'));
    dataDir = join(root, 'data');
    await copyDatabase(join(dataDir, 'db'), 'new');
    await cp(SAMPLE, join(root, 'sample'), { recursive: true });
    await restoreCommand(settings(dataDir), [join(root, 'sample')]);
    server = openDatabase(parseConnection(address));
    for (const name of NAMES) {
      await server.script(`drop database if exists ${name} with (force)`);
      await server.script(`create database ${name}`);
    }
  });
  afterAll(async () => {
    vi.restoreAllMocks();
    for (const name of NAMES) await server.script(`drop database if exists ${name} with (force)`);
    await server.close();
    await rm(root, { recursive: true, force: true });
  });

  it('moves every row, and a later start without DB_HOST does not use the old rows', async () => {
    const before = await inFolder(dataDir, rowsOf);
    expect(before.rows.get('items')).toHaveLength(6);
    await cp(join(dataDir, 'db'), join(root, 'kept'), { recursive: true });
    await moveDatabaseCommand(settings(dataDir, 'headwater_move'), []);
    expect(await inPostgres('headwater_move', rowsOf)).toEqual(before);
    expect(await readdir(join(dataDir, 'db'))).toEqual(['pgdata-moved']);
    await rm(join(dataDir, 'db'), { recursive: true });
    await cp(join(root, 'kept'), join(dataDir, 'db'), { recursive: true });
    await expect(moveDatabaseCommand(settings(dataDir, 'headwater_move'), [])).rejects.toThrow(
      /already has data\. Use an empty database, or add --replace/,
    );
  });

  it('restores a backup of either database into the other database', async () => {
    const target = join(root, 'backups');
    await inPostgres('headwater_move', async (database) => {
      // Servers on PostgreSQL share a signing key in the database.
      await database.run(`insert into headwater.installation (name, value) values ('signing key', 'the shared key')`);
      const waiting = openDatabase({ ...parseConnection(address), database: 'headwater_move' });
      await waiting.first('select 1');
      await expect(restoreCommand(settings(join(root, 'x'), 'headwater_move'), [join(root, 'sample')])).rejects.toThrow(
        /services or workers use PostgreSQL database "headwater_move".*Stop all of them first/,
      );
      await waiting.close();
    });
    await backupCommand(settings(dataDir, 'headwater_move'), [target]);
    const folder = join(root, 'from-postgres');
    await copyDatabase(join(folder, 'db'), 'new');
    await restoreCommand(settings(folder), [target]);
    const { rows } = await inFolder(folder, rowsOf);
    expect(rows.get('users')).toHaveLength(1);
    // A server on the embedded database reads the signing key from a file.
    expect(await readdir(join(folder, 'secrets'))).toEqual(['jwt.key']);
    await restoreCommand(settings(join(root, 'other'), 'headwater_restore'), [target]);
    expect((await inPostgres('headwater_restore', rowsOf)).rows).toEqual(rows);
    await inPostgres('headwater_move', (database) =>
      database.run(
        `insert into headwater.installation (name, value) values ('asset folder', 'id of the right folder')`,
      ),
    );
    await expect(backupCommand(settings(dataDir, 'headwater_move'), [target])).rejects.toThrow(
      /^DATA_DIR: the files of this database are in a folder with the id id of the right folder/,
    );
    expect((await readdir(target)).filter((name) => name.startsWith('headwater-'))).toHaveLength(1);
    // A restore is refused if DATA_DIR has files of another installation.
    const wrong = join(root, 'wrong');
    await mkdir(join(wrong, 'assets'), { recursive: true });
    await writeFile(join(wrong, 'assets/.headwater-folder'), 'id of another folder');
    await expect(restoreCommand(settings(wrong, 'headwater_move'), [target, '--replace'])).rejects.toThrow(
      /^DATA_DIR: the files of this database are in a folder with the id id of the right folder/,
    );
    expect(await readdir(wrong)).toEqual(['assets']);
  });
});

it('refuses to move again while the folder of an earlier move exists', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'headwater-moved-'));
  await mkdir(join(dataDir, 'db/pgdata-moved'), { recursive: true });
  const config = readConfig({ DATA_DIR: dataDir, DB_HOST: '127.0.0.1', DB_NAME: 'x', DB_USER: 'x' });
  const moved = join(dataDir, 'db/pgdata-moved');
  await expect(moveDatabaseCommand(config, [])).rejects.toThrow(
    /^DATA_DIR: the embedded database was moved to a PostgreSQL already .*Start the service with the DB_\* of that PostgreSQL\. .* in x instead, make a backup/,
  );
  await mkdir(join(dataDir, 'db/pgdata'));
  await expect(moveDatabaseCommand(config, [])).rejects.toThrow(`Move ${moved} to another folder, and repeat`);
  await rm(dataDir, { recursive: true });
});
