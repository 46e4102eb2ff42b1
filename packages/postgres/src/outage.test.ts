import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pgPromise from 'pg-promise';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Connection } from './connection.ts';
import { describeConnection, parseConnection } from './connection.ts';
import { openDatabase } from './database.ts';
import { address, type Fresh, freshDatabase } from './migrate.fixture.ts';
import { createPostgresStores } from './stores.ts';

if (address === '')
  console.warn('skipped: failures of PostgreSQL: HEADWATER_TEST_PG is not set; `npm run test:postgres` sets it');

describe('database addresses', () => {
  it('are parsed, including sockets and passwords', () => {
    expect(parseConnection('postgres://me:p%40ss@db.example.org:6543/water')).toEqual({
      host: 'db.example.org',
      port: 6543,
      database: 'water',
      user: 'me',
      password: 'p@ss',
    });
    expect(parseConnection('postgresql://me@localhost/water?host=%2Frun%2Fpg')).toMatchObject({
      host: '/run/pg',
      port: 5432,
    });
  });

  it('may name an IPv6 address, or the folder of a socket as host', () => {
    expect(parseConnection('postgres://me@[::1]:6543/water')).toMatchObject({ host: '::1', port: 6543 });
    expect(parseConnection('postgres://me@%2Frun%2Fpg/water')).toMatchObject({ host: '/run/pg', port: 5432 });
    expect(describeConnection(parseConnection('postgres://me@[::1]/water'))).toContain('at [::1]:5432');
  });

  it('apply sslmode; a setting that cannot be applied is refused with its name', () => {
    const ssl = (query: string): unknown => parseConnection(`postgres://me:secret@db/water?${query}`).ssl;
    expect(ssl('sslmode=require')).toEqual({ rejectUnauthorized: false });
    expect(ssl('sslmode=verify-full')).toBe(true);
    expect(ssl('sslmode=verify-full&sslrootcert=system')).toBe(true);
    expect(ssl('sslmode=disable')).toBeUndefined();
    for (const mode of ['prefer', 'verify-ca', 'verify_full', '']) {
      expect(() => ssl(`sslmode=${mode}`)).toThrow(`sslmode=${mode} of the database address is not supported; write`);
    }
    expect(() => ssl('sslrootcert=/etc/root.crt')).toThrow(/sslrootcert.*ssl: \{ ca \}/);
    expect(() => ssl('sslmod=require')).toThrow(/^(?!.*secret).*"sslmod".*sslmode/);
  });

  it('with sslmode=require make a client request TLS, and send nothing else if the server refuses TLS', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    const sent: Buffer[] = [];
    server.on('connection', (socket) => {
      socket.on('data', (chunk) => {
        sent.push(chunk);
        socket.write('N');
      });
      socket.on('error', () => {});
    });
    const connection = parseConnection(`postgres://me:secret@127.0.0.1:${port}/water?sslmode=require`);
    const database = openDatabase(connection, { poolSize: 1 });
    await expect(database.rows('select 1')).rejects.toMatchObject({ code: 'unavailable' });
    // A client that waits for TLS sends only SSLRequest messages, which have this code.
    expect(sent.map((chunk) => chunk.readInt32BE(4))).toSatisfy((codes: number[]) =>
      codes.every((code) => code === 80_877_103),
    );
    expect(sent).not.toHaveLength(0);
    await database.close();
    server.close();
  });

  it('are rejected if they are invalid, with an error that does not repeat the address', () => {
    expect(() => parseConnection('mysql://me:secret@host/db')).toThrow(/^(?!.*secret).*postgres:\/\//);
    expect(() => parseConnection('secret')).toThrow(/^(?!.*secret)/);
  });

  it('are described without user and password', () => {
    const place = describeConnection({ host: 'db', port: 5432, database: 'water', user: 'me', password: 'secret' });
    expect(place).toBe('PostgreSQL database "water" at db:5432');
  });
});

describe('a missing database', () => {
  it('is reported as unavailable; the message contains a remedy and no password', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    server.close();
    const connection: Connection = { host: '127.0.0.1', port, database: 'water', user: 'me', password: 'secret' };
    await expect(createPostgresStores({ connection })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        new RegExp(`^(?!.*secret)PostgreSQL database "water" at 127.0.0.1:${port}.*ECONNREFUSED.*check`),
      ),
    });
  });

  it('is reported as unavailable after the connect timeout if its port accepts connections but sends nothing', async () => {
    const sockets: Socket[] = [];
    const server = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const at = server.address();
    const port = typeof at === 'object' && at !== null ? at.port : 0;
    const database = openDatabase(
      { host: '127.0.0.1', port, database: 'water', user: 'me' },
      { connectTimeoutMs: 100 },
    );
    await expect(database.first('select 1')).rejects.toMatchObject({ code: 'unavailable' });
    await database.close();
    for (const socket of sockets) socket.destroy();
    server.close();
  });
});

class BreakableProxy {
  readonly folder: string;
  readonly #target: string;
  #server: Server | undefined;
  readonly #sockets = new Set<Socket>();

  constructor(folder: string, target: string) {
    this.folder = folder;
    this.#target = target;
  }

  async open(): Promise<void> {
    this.#server = createServer((client) => {
      const server = connect(this.#target);
      for (const socket of [client, server]) {
        this.#sockets.add(socket);
        socket.on('error', () => socket.destroy());
      }
      client.pipe(server).pipe(client);
    }).listen(join(this.folder, '.s.PGSQL.5432'));
    await once(this.#server, 'listening');
  }

  async break(): Promise<void> {
    const server = this.#server;
    if (server === undefined) return;
    const closed = once(server, 'close');
    server.close();
    for (const socket of this.#sockets) socket.destroy();
    this.#sockets.clear();
    await closed;
  }
}

describe.skipIf(address === '')('a failure of PostgreSQL (needs HEADWATER_TEST_PG: `npm run test:postgres`)', () => {
  const name = 'headwater_outage';
  let fresh: Fresh;
  let proxy: BreakableProxy;
  let connection: Connection;
  beforeAll(async () => {
    fresh = await freshDatabase(name);
    const real = fresh.connection;
    proxy = new BreakableProxy(
      await mkdtemp(join(tmpdir(), 'headwater-door-')),
      join(real.host, `.s.PGSQL.${real.port}`),
    );
    await proxy.open();
    connection = { ...real, host: proxy.folder, port: 5432 };
  });
  afterAll(async () => {
    await proxy.break();
    await rm(proxy.folder, { recursive: true, force: true });
    await fresh.stop();
  });

  it('makes an operation fail as unavailable; later operations succeed again', async () => {
    const stores = await createPostgresStores({ connection });
    const account = await stores.eoAccounts.create({ name: 'kept', accountEmail: null, isVisible: true });
    await proxy.break();
    await expect(stores.eoAccounts.list()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(stores.ping()).rejects.toMatchObject({ code: 'unavailable', message: expect.stringContaining(name) });
    await proxy.open();
    expect(await stores.eoAccounts.list()).toEqual([account]);
    expect(await stores.ping()).toMatchObject({ kind: 'postgresql' });
    await stores.close();
  });

  it('makes a transaction fail as unavailable, and nothing of it is stored', async () => {
    const database = openDatabase(connection);
    const work = database.tx(async (sql) => {
      await sql.run(`insert into headwater.eo_accounts (name, is_visible) values ('half', true)`);
      await proxy.break();
      await sql.run(`insert into headwater.eo_accounts (name, is_visible) values ('other half', true)`);
    });
    await expect(work).rejects.toMatchObject({ code: 'unavailable' });
    await proxy.open();
    expect(await database.rows(`select from headwater.eo_accounts where name like '%half'`)).toEqual([]);
    await database.close();
  });

  it('during a publication leaves no Item and no layer, and the run continues', async () => {
    const { runs, catalog, close } = await createPostgresStores({ connection });
    const database = openDatabase(connection);
    await runs.enqueue({ id: 'r1', pipeline: 'p', params: {}, fingerprint: 'f', ownerId: 1 });
    const run = await runs.claim({ workerId: 'w', leaseMs: 60_000, pipelines: ['p'], maxAttempts: 3 });
    const layer = { workspace: 'w', layerName: 'l', datasetName: 'd', layerType: 'raster', styleKey: null } as const;
    const publication = {
      items: [{ id: 'i', collectionPath: 'a/b/c', item: { id: 'i', geometry: null } }],
      layers: [{ ...layer, tehsilId: 1, itemId: 'i', assetKey: 'r1/1/i.tif' }],
      timings: {},
    };
    // Items are written before layers, so the missing table stops the publication half-way.
    await database.script('alter table headwater.layers rename to away');
    await expect(runs.publish('r1', run?.token ?? 0, publication)).rejects.toThrow(/layers/);
    await database.script('alter table headwater.away rename to layers');
    expect(await catalog.item('a/b/c', 'i')).toBeUndefined();
    expect(await runs.get('r1')).toEqual(run);
    expect(await runs.publish('r1', run?.token ?? 0, publication)).toBe('ok');
    expect(await catalog.item('a/b/c', 'i')).toMatchObject({ version: 1 });
    await Promise.all([close(), database.close()]);
  });

  it('makes an operation fail as unavailable if an administrator ends its connection; the next operation gets a new connection', async () => {
    const database = openDatabase(connection, { poolSize: 1 });
    const other = openDatabase(connection);
    const pid = await database.first<{ pid: number }>('select pg_backend_pid() as pid');
    const [slow] = await Promise.allSettled([
      database.run('select pg_sleep(20)'),
      other.run('select pg_terminate_backend($1::int)', [pid?.pid ?? 0]),
    ]);
    expect(slow).toMatchObject({ status: 'rejected', reason: { code: 'unavailable' } });
    expect(await database.first('select 1 as n')).toEqual({ n: 1 });
    await Promise.all([database.close(), other.close()]);
  });

  it('is reported as unavailable, with a remedy, for an unknown database or user', async () => {
    await expect(createPostgresStores({ connection: { ...connection, database: 'nowhere' } })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/"nowhere".*does not exist/),
    });
    await expect(createPostgresStores({ connection: { ...connection, user: 'unknown_user' } })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/user name and the password/),
    });
  });

  it('is not reported for deadlocked transactions, which are retried until both succeed', async () => {
    const database = openDatabase(connection);
    await database.script('create table pair (id int primary key, n int); insert into pair values (1, 0), (2, 0)');
    const meet = Promise.withResolvers<void>();
    let arrived = 0;
    const touch = async (first: number, second: number): Promise<void> => {
      await database.tx(async (sql) => {
        await sql.run('update pair set n = n + 1 where id = $1', [first]);
        arrived += 1;
        if (arrived === 2) meet.resolve();
        await meet.promise;
        await sql.run('update pair set n = n + 1 where id = $1', [second]);
      });
    };
    await Promise.all([touch(1, 2), touch(2, 1)]);
    expect(await database.rows('select n from pair')).toEqual([{ n: 2 }, { n: 2 }]);
    expect(arrived).toBeGreaterThan(2);
    await database.close();
  });

  it('is reported for a statement with conflicts only after the last retry', async () => {
    const database = openDatabase(connection);
    // A sequence keeps its value if a statement fails.
    await database.script(`create sequence tries;
      create function meets(most int) returns int language plpgsql as $$ begin
        if nextval('tries') <= most then raise exception 'could not serialize access' using errcode = '40001'; end if;
        return 1;
      end $$`);
    expect(await database.first('select meets(3) as n')).toEqual({ n: 1 });
    await database.script("select setval('tries', 1, false)");
    expect(await database.searches.rows('select meets(3) as n')).toEqual([{ n: 1 }]);
    await database.script("select setval('tries', 1, false)");
    await expect(database.first('select meets(1000) as n')).rejects.toMatchObject({
      code: 'unavailable',
      details: { retryAfterSeconds: 1 },
    });
    await expect(database.tx((sql) => sql.first('select meets(1000) as n'))).rejects.toMatchObject({
      code: 'unavailable',
    });
    await database.close();
  });

  it('is not caused in the pg-promise database of the host application if stores on it are closed', async () => {
    const handle = pgPromise({ noWarnings: true })({ ...connection, ssl: false });
    const stores = await createPostgresStores({ handle });
    expect(await stores.ping()).toMatchObject({ kind: 'postgresql' });
    await stores.close();
    expect(await handle.one('select 1 as n')).toEqual({ n: 1 });
    await handle.$pool.end();
  });
});
