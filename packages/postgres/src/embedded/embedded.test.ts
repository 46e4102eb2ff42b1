import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pgPromise from 'pg-promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openDatabase } from '../database.ts';
import { createPostgresStores } from '../stores.ts';
import type { EmbeddedDatabase } from './open.ts';
import { openEmbedded, runningEmbedded } from './open.ts';
import { crowding } from '../../../../scripts/cpu-time.mjs';
import { copyDatabase } from '../../../../scripts/database-template.mjs';

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'headwater-embedded-'));
});
afterAll(async () => await rm(root, { recursive: true, force: true }));

describe('the embedded database', () => {
  let embedded: EmbeddedDatabase;
  const dataDir = (): string => join(root, 'main');
  beforeAll(async () => {
    await copyDatabase(dataDir());
    embedded = await openEmbedded({ dataDir: dataDir() });
  });
  afterAll(async () => await embedded.close());

  it('allows only this user to access its folders', async () => {
    for (const folder of [dataDir(), join(dataDir(), 'pgdata')]) expect((await stat(folder)).mode & 0o777).toBe(0o700);
    expect((await stat(embedded.connection.host)).mode & 0o777).toBe(0o700);
  });

  it('cannot be opened a second time; the error names the process and the folder', async () => {
    await expect(openEmbedded({ dataDir: dataDir() })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(new RegExp(`${dataDir()}.*process ${process.pid}`)),
    });
  });

  it('provides its connection to a command on the same machine', async () => {
    expect(runningEmbedded({ dataDir: dataDir() })).toEqual(embedded.connection);
    expect(runningEmbedded({ dataDir: join(root, 'nowhere') })).toBeUndefined();
  });

  it('keeps the statements of two clients separate', async () => {
    const clients = [openDatabase(embedded.connection), openDatabase(embedded.connection)];
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const answers = await Promise.all(
      numbers.map(async (n) =>
        clients[n % 2]?.first<{ a: number; b: number }>('select $1::int as a, $2::int as b', [n, -n]),
      ),
    );
    expect(answers).toEqual(numbers.map((n) => ({ a: n, b: -n || 0 })));
    await Promise.all(clients.map((client) => client.close()));
  });

  it('uses UTC, also after another client has set a time zone', async () => {
    const [first, second] = [openDatabase(embedded.connection), openDatabase(embedded.connection)];
    await first.script("set timezone = 'Asia/Kolkata'");
    await first.close();
    expect(await second.first("select current_setting('TimeZone') as zone")).toEqual({ zone: 'UTC' });
    await second.close();
  });

  it('returns each result for the right statement, also after errors', async () => {
    const client = openDatabase(embedded.connection);
    for (const text of ['select nope($1)', 'select $1::int', 'select 1 / ($1::int - 1)']) {
      const values = [text.includes('/') ? 1 : 'x'];
      await expect(client.first(text, values)).rejects.toMatchObject({ message: expect.any(String) });
      expect(await client.first('select $1::int as n', [7])).toEqual({ n: 7 });
      await expect(client.tx((sql) => sql.first(text, values))).rejects.toMatchObject({ message: expect.any(String) });
      expect(await client.tx((sql) => sql.first('select $1::int as n', [8]))).toEqual({ n: 8 });
    }
    await client.close();
  });

  it('rolls back the transaction of a client that disconnects', async () => {
    const [one, two] = [openDatabase(embedded.connection), openDatabase(embedded.connection)];
    await one.script('create table kept (n int)');
    const leaver = await pgPromise({ noWarnings: true })({ ...embedded.connection, max: 1 }).connect();
    await leaver.none('begin; insert into kept values (1)');
    void leaver.done(true);
    expect(await two.first('select count(*)::int as n from kept')).toEqual({ n: 0 });
    await Promise.all([one.close(), two.close()]);
  });
});

describe('an embedded database that is stopped and started', { timeout: 240_000 }, () => {
  it('is not created if the parent of the process that creates its files has died', async () => {
    const folder = join(root, 'orphaned');
    const execArgv = ['--conditions=@headwater/source'];
    const child = fork(new URL('make-files-process.ts', import.meta.url), [folder], { execArgv });
    const exited = once(child, 'exit');
    child.disconnect();
    expect(await exited).toEqual([1, null]);
    expect(existsSync(folder)).toBe(false);
  });

  it('closes within about 5 s although a client is connected, and is then unavailable', async () => {
    await copyDatabase(join(root, 'closing'));
    const embedded = await openEmbedded({ dataDir: join(root, 'closing') });
    const stores = await createPostgresStores({ connection: embedded.connection });
    const start = performance.now();
    await embedded.close();
    const ms = performance.now() - start;
    // A close waits three seconds for clients, then for the end of the thread.
    expect(ms).toBeLessThan(3000 + 2000 * crowding());
    expect(await embedded.stopped).toBeUndefined();
    await expect(stores.ping()).rejects.toMatchObject({ code: 'unavailable' });
    await stores.close();
    expect(runningEmbedded({ dataDir: join(root, 'closing') })).toBeUndefined();
  });

  it('works in a folder with a path that is too long for a socket', async () => {
    const dataDir = join(root, 'deep'.repeat(20), 'folder'.repeat(10));
    await copyDatabase(dataDir);
    const embedded = await openEmbedded({ dataDir });
    const client = openDatabase(embedded.connection);
    expect(await client.first('select 1 as n')).toEqual({ n: 1 });
    await client.close();
    await embedded.close();
    await expect(stat(embedded.connection.host)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  it('fails with a remedy if the folder cannot be used, and leaves the folder unlocked', async () => {
    const dataDir = join(root, 'broken');
    await mkdir(join(dataDir, 'pgdata', 'PG_VERSION'), { recursive: true });
    await expect(openEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(dataDir),
    });
    expect(runningEmbedded({ dataDir })).toBeUndefined();
  });

  it('fails with a remedy if the folder cannot be created', async () => {
    await writeFile(join(root, 'a-file'), '');
    const dataDir = join(root, 'a-file', 'below');
    await expect(openEmbedded({ dataDir })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(dataDir),
    });
  });
});
