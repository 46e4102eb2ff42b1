import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDatabase } from '@headwater/postgres';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, findPostgres } from '../scripts/postgres-cluster.mjs';
import { type Config, readConfig } from '../packages/server/src/config/read-config.ts';
import { openStores, connectionTo } from '../packages/server/src/database.ts';
import { freePort } from './server-process.ts';

/** A separate database, because the database of other suites has no network listener. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: a database that requires TLS. ${missing ?? ''}`);

const PASSWORD = 'tall-river-42';

describe.skipIf(make === undefined)('a database that requires TLS, with a certificate from a private authority', () => {
  let cluster: Cluster;
  let dir: string;
  let caFile: string;
  let port: number;

  beforeAll(async () => {
    if (make === undefined) return;
    dir = await mkdtemp(join(tmpdir(), 'headwater-tls-'));
    cluster = make();
    const { folder: host, role: user } = cluster;
    const local = openDatabase({ host, port: 5432, database: 'postgres', user });
    await local.script(`alter role ${user} password '${PASSWORD}'`);
    await local.close();
    ({ port, caFile } = cluster.encrypt(await freePort()));
  }, 120_000);
  afterAll(async () => {
    cluster.remove();
    await rm(dir, { recursive: true, force: true });
  });

  function configOf(env: Readonly<Record<string, string>>): Config {
    const database = { DB_HOST: 'localhost', DB_PORT: String(port), DB_NAME: 'postgres', DB_USER: cluster.role };
    return readConfig({ DATA_DIR: dir, ...database, DB_PASSWORD: PASSWORD, ...env });
  }

  const open = (env: Readonly<Record<string, string>>): ReturnType<typeof openStores> =>
    openStores(configOf(env), { onDeath: () => {} });

  it.each([
    ['require', () => ({ DB_SSL: 'require' })],
    ['require, by IP address', () => ({ DB_SSL: 'require', DB_HOST: '127.0.0.1' })],
    ['verify-full with its authority', () => ({ DB_SSL: 'verify-full', DB_SSL_CA: caFile })],
  ])('accepts an encrypted connection: %s', async (_how, env) => {
    const stores = await open(env());
    expect(await stores.ping()).toMatchObject({ kind: 'postgresql' });
    await stores.close();
    const { database } = configOf(env());
    if (database === undefined) throw new Error('DB_HOST is set');
    const direct = openDatabase(await connectionTo(database));
    const sql = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
    expect(await direct.first<{ ssl: boolean }>(sql)).toEqual({ ssl: true });
    await direct.close();
  });

  it.each([
    ['without TLS', () => ({ DB_SSL: 'disable' }), /it requires TLS.*Set DB_SSL to verify-full/],
    ['without the file of its authority', () => ({ DB_SSL: 'verify-full' }), /not trusted.*Set DB_SSL_CA/],
    [
      'to a host name that is not in its certificate',
      () => ({ DB_SSL: 'verify-full', DB_SSL_CA: caFile, DB_HOST: '127.0.0.1' }),
      /another host name.*Set DB_HOST/,
    ],
  ])('refuses a connection %s; the message names the setting to change', async (_why, env, message) => {
    await expect(open(env())).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(message),
    });
    await expect(open(env())).rejects.toMatchObject({ message: expect.not.stringContaining(PASSWORD) });
  });

  it('cannot be used if the file in DB_SSL_CA is missing or is not a certificate; the error names DB_SSL_CA', async () => {
    const other = join(dir, 'other.pem');
    await writeFile(other, 'not a certificate');
    const opened = (DB_SSL_CA: string): Promise<unknown> => open({ DB_SSL: 'verify-full', DB_SSL_CA });
    await expect(opened(join(dir, 'none.pem'))).rejects.toThrow(/^DB_SSL_CA: .*none\.pem cannot be read \(ENOENT\)/);
    await expect(opened(other)).rejects.toThrow(/^DB_SSL_CA: .*other\.pem contains no certificate/);
  });
});
