import { mkdtemp, readdir, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createPostgresStores } from '@headwater/postgres';
import { SAMPLE_YEARS } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { crowding } from '../scripts/cpu-time.mjs';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import { signIn, type Client } from './client.ts';
import {
  requestLandCover,
  at,
  followed,
  openYard,
  type RunBody,
  runsOfLandCover,
  runWhen,
  type ServerYard,
  worksOn,
} from './server-pair.fixture.ts';
import { runCommand, type ServerProcess } from './server-process.ts';

/** Creates a separate PostgreSQL, because this suite kills and suspends all servers that use it. */
const { make, missing } =
  (process.env['HEADWATER_TEST_PG'] ?? '') === ''
    ? { missing: 'it runs with `npm run test:postgres`' }
    : findPostgres();
if (make === undefined) console.log(`skipped: two servers on one PostgreSQL. ${missing ?? ''}`);

const [FIRST, , LAST] = SAMPLE_YEARS;
const isOver = ({ state }: RunBody): boolean => state === 'success' || state === 'failed';
const TIMEOUT_MS = 240_000;
/** Heartbeats every 20 s, so that only a notification of PostgreSQL can cause a faster reaction. */
const LONG_LEASE = { RUN_LEASE_SECONDS: '60' };
const SHORT_LEASE = { RUN_LEASE_SECONDS: '2' };

describe.skipIf(make === undefined)('two servers on one PostgreSQL', () => {
  let yard: ServerYard;
  let [a, b]: ServerProcess[] = [];
  let client: Client;
  const both = (): readonly [ServerProcess, ServerProcess] => {
    if (a === undefined || b === undefined) throw new Error('the servers have not started');
    return [a, b];
  };
  beforeAll(async () => {
    if (make !== undefined) yard = await openYard(make, true);
  });
  afterAll(() => yard.close());

  it(
    'create only one superuser, one sample and one first run if they start at the same time',
    async () => {
      [a, b] = await Promise.all([yard.start(LONG_LEASE), yard.start(LONG_LEASE)]);
      const servers = both();
      await Promise.all(servers.map((server) => server.printed(/superuser {8}/, TIMEOUT_MS)));
      const printed = servers.flatMap((server) => [
        ...server.output().matchAll(/superuser {8}(\S+)\n {2}password {9}([^\s(]\S+)\n/g),
      ]);
      expect(printed).toHaveLength(1);
      client = await signIn(servers[0].baseUrl, printed[0]?.[1] ?? '', printed[0]?.[2] ?? '');
      await Promise.all(servers.map((server) => server.printed(/curl -s/, TIMEOUT_MS)));
      const [landCover, ...others] = await runsOfLandCover(client);
      expect(others).toEqual([]);
      const first = await runWhen(client, landCover?.run_id ?? '', isOver);
      expect(first).toMatchObject({ state: 'success', attempt: 1 });
      const creators = servers.filter((server) => server.output().includes('sample data are generated'));
      expect(creators).toHaveLength(1);
      const { DB_HOST: host = '', DB_NAME: database = '', DB_USER: user = '' } = yard.env;
      const stores = await createPostgresStores({ connection: { host, port: 5432, database, user } });
      expect(await stores.users.count()).toBe(1);
      expect(await stores.eoAccounts.list()).toHaveLength(1);
      await stores.close();
      expect(await readdir(yard.dataDir)).not.toContain('secrets');
    },
    2 * TIMEOUT_MS,
  );

  it("accept each other's tokens and serve each other's files", async () => {
    const [, other] = both();
    const [landCover, ...others] = await runsOfLandCover(at(other, client));
    expect(others).toEqual([]);
    for (const server of both()) {
      const item = await at(server, client).get<RunBody>(`/api/v1/runs/${landCover?.run_id ?? ''}/`);
      const text = JSON.stringify(item.body.stac_items);
      const [href = ''] = text.match(/http[^"]+\.tif/) ?? [];
      expect((await fetch(new URL(new URL(href).pathname, server.baseUrl))).status).toBe(200);
    }
  });

  it(
    'reject a third server with another folder or another key, and name the remedy',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'headwater-stranger-'));
      const elsewhere = await runCommand({ dataDir, env: yard.env });
      expect(elsewhere.code).toBe(2);
      expect(elsewhere.output).toMatch(/DATA_DIR: .*assets is another folder.*share one DATA_DIR.*echo /);
      await rm(join(dataDir, 'assets'), { recursive: true, force: true });
      await symlink(join(yard.dataDir, 'assets'), join(dataDir, 'assets'));
      const filesOnly = await runCommand({ dataDir, env: yard.env });
      expect(filesOnly.code).toBe(2);
      expect(filesOnly.output).toMatch(/DATA_DIR: another server .* places and scenes would differ.*Mount one folder/);
      const key = { JWT_SECRET: 'another-key-that-is-long-enough-0123456789' };
      const stranger = await runCommand({ dataDir: yard.dataDir, env: { ...yard.env, ...key } });
      expect(stranger.code).toBe(2);
      expect(stranger.output).toMatch(
        /JWT_SECRET: another server .*the same JWT_SECRET for all servers, or set it for none/,
      );
      expect(stranger.output).not.toContain(key.JWT_SECRET);
      await rm(dataDir, { recursive: true });
      expect((await client.get('/api/v1/runs/')).status).toBe(200);
    },
    TIMEOUT_MS,
  );

  it(
    'pass progress and cancellation to each other within seconds',
    async () => {
      const [one, other] = both();
      // Each server computes one of the two runs. Requests to one server cancel both runs.
      const ids = await Promise.all([requestLandCover(client, FIRST), requestLandCover(client, FIRST + 1)]);
      const reads = ids.map((id) => [followed(one, client, id), followed(other, client, id)] as const);
      const workers = await Promise.all(ids.map((id) => worksOn(id, [one, other])));
      expect(new Set(workers.map((worker) => worker.at)).size).toBe(2);
      await Promise.all(ids.map((id) => runWhen(client, id, ({ progress }) => progress > 0.05)));
      const requested = performance.now();
      for (const id of ids) await at(other, client).post(`/api/v1/runs/${id}/cancel/`, {});
      const ended = await Promise.all(ids.map((id) => runWhen(at(other, client), id, isOver)));
      const cancelMs = performance.now() - requested;
      for (const run of ended) expect(run).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      const lags = (await Promise.all(reads.map((pair) => Promise.all(pair)))).flatMap(([here, there]) => {
        expect(there.arrivals.size).toBe(here.arrivals.size);
        return [...here.arrivals].map(([seq, ms]) => Math.abs(ms - (there.arrivals.get(seq) ?? 0)));
      });
      const text = `cancelled in ${cancelMs.toFixed(0)} ms; ${lags.length} events, at most ${Math.max(...lags).toFixed(0)} ms apart`;
      console.log(text);
      const busy = crowding();
      expect(cancelMs, text).toBeLessThan(5000 * busy);
      expect(Math.max(...lags), text).toBeLessThan(1000 * busy);
    },
    TIMEOUT_MS,
  );

  it(
    'pass the run of a stopped server to the other server without using up an attempt',
    async () => {
      const id = await requestLandCover(client, LAST);
      const { at: busy, other } = await worksOn(id, both());
      await runWhen(at(other, client), id, ({ progress }) => progress > 0.05);
      const stopRequested = performance.now();
      const stopped = busy.stop('SIGTERM');
      await other.printed(new RegExp(`"runId":"${id}".*attempt begins`), TIMEOUT_MS);
      const ms = performance.now() - stopRequested;
      console.log(`handed over in ${ms.toFixed(0)} ms`);
      expect(ms).toBeLessThan(5000 * crowding());
      expect((await stopped).code).toBe(0);
      const run = await runWhen(at(other, client), id, isOver);
      expect(run).toMatchObject({ state: 'success', attempt: 1 });
      await other.stop('SIGTERM');
    },
    TIMEOUT_MS,
  );

  it(
    'continue the run of a killed server at the other server when the lease expires; nothing is published twice',
    async () => {
      [a, b] = await Promise.all([yard.start(SHORT_LEASE), yard.start(SHORT_LEASE)]);
      client = at(both()[0], client);
      const before = await version();
      const id = await requestLandCover(client, LAST);
      const { at: busy, other } = await worksOn(id, both());
      client = at(other, client);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      await busy.stop('SIGKILL');
      const run = await runWhen(client, id, isOver);
      expect(run).toMatchObject({ state: 'success', attempt: 2 });
      expect(await version()).toBe(before + 1);
      expect(await readdir(join(yard.dataDir, 'assets', id))).toEqual(['2']);
    },
    TIMEOUT_MS,
  );

  it(
    'publish nothing twice if one server was suspended for longer than its lease: it has lost its run when it continues',
    async () => {
      const [alive, waking] = [both().find(({ baseUrl }) => client.baseUrl === baseUrl), await yard.start(SHORT_LEASE)];
      if (alive === undefined) throw new Error('no server is left');
      const before = await version();
      const id = await requestLandCover(client, LAST);
      const { at: suspended, other } = await worksOn(id, [alive, waking]);
      client = at(other, client);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      process.kill(suspended.pid, 'SIGSTOP');
      const run = await runWhen(client, id, isOver);
      process.kill(suspended.pid, 'SIGCONT');
      expect(run).toMatchObject({ state: 'success', attempt: 2 });
      await suspended.printed(new RegExp(`"runId":"${id}","attempt":1,"token":1,"ending":"lost"`), TIMEOUT_MS);
      expect(await version()).toBe(before + 1);
      expect(await readdir(join(yard.dataDir, 'assets', id))).toEqual(['2']);
    },
    TIMEOUT_MS,
  );

  async function version(): Promise<number> {
    const newest = (await runsOfLandCover(client)).find(({ state }) => state === 'success');
    const { body: run } = await client.get<RunBody>(`/api/v1/runs/${newest?.run_id ?? ''}/`);
    return Math.max(...run.stac_items.map(({ properties }) => Number(properties['version'])));
  }
});
