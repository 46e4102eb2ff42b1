import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { Run } from '@headwater/core';
import { hasEnded } from '@headwater/core/runs';
import type { Stores } from '@headwater/identity';
import { writePlace } from '@headwater/ingest';
import { createPostgresStores } from '@headwater/postgres';
import { expect } from 'vitest';
import { scenesAround, smallPlace, writeScenes } from '../packages/server/src/small-world.fixture.ts';
import { type Cluster, findPostgres } from '../scripts/postgres-cluster.mjs';
import { type Client, signIn } from './client.ts';
import {
  freePort,
  type RunningProcess,
  type ServerProcess,
  startCommand,
  startServerProcess,
} from './server-process.ts';

/** Longest wait for a step that takes seconds on an idle machine, ms. */
export const STEP_MS = 120_000;
/** Longest time from the last fault until every run has ended, ms. */
const TERMINAL_MS = 60_000;
const YEAR = 2021;
const PASSWORD = 'tall-river-4711';
const TEHSILS = Array.from({ length: 6 }, (_, at) => `Chaos ${at}`);
/** Routes of the requested runs: land cover from pixels, and a layer of boundaries. */
const ROUTES = ['lulc_for_tehsil', 'generate_mws_layer'] as const;

/** Number of different requests of a chaos test. */
export const REQUESTS = TEHSILS.length * ROUTES.length;

/** Returns the function that makes a PostgreSQL cluster; undefined without PostgreSQL. Throws instead if CI=true. */
export function postgresFor(what: string): ReturnType<typeof findPostgres>['make'] {
  const { make, missing } = findPostgres();
  if (make !== undefined) return make;
  console.log(`skipped: ${what}. ${missing}`);
  if (process.env['CI'] === 'true') throw new Error(`CI=true: a missing program is a failure. ${missing}`);
  return undefined;
}

/** A PostgreSQL, a data folder with small tehsils and scenes, and the processes that use them. */
export interface ChaosYard {
  readonly cluster: Cluster;
  readonly dataDir: string;
  readonly port: number;
  readonly stores: Stores;
  /** Ids of all runs for which the service responded 202. */
  readonly promised: Set<string>;
  /** Starts a service without a worker at `port`. */
  startServer(env?: Readonly<Record<string, string>>): Promise<ServerProcess>;
  startWorker(env?: Readonly<Record<string, string>>): Promise<RunningProcess>;
  /** Signs in; the token is also valid for later services. */
  signIn(server: ServerProcess): Promise<Client>;
  /**
   * Requests run number `choice` (below `REQUESTS`) with `overwrite`. Returns the run's id; undefined if the request
   * fails or the status is not 202.
   */
  request(client: Client, choice: number): Promise<string | undefined>;
  /** Runs that have not ended. */
  open(): Promise<readonly Run[]>;
  /** Waits until all runs have ended; returns the seconds. Throws on a timeout. */
  untilEnded(): Promise<number>;
  /** Kills all processes and removes database and folder. */
  close(): Promise<void>;
}

/** Creates database, folder, places and scenes, but starts no process of the service. */
export async function openChaosYard(
  make: () => Cluster,
  dataDir?: string,
  tehsils: readonly string[] = TEHSILS,
): Promise<ChaosYard> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'headwater-chaos-')));
  const cluster = make();
  const stores = await createPostgresStores({
    connection: { host: cluster.folder, port: 5432, database: 'postgres', user: cluster.role },
  });
  await writePlaces(folder, tehsils);
  await writeScenes(folder, scenesAround(YEAR));
  const processes: RunningProcess[] = [];
  const port = await freePort();
  const base = {
    DB_HOST: cluster.folder,
    DB_NAME: 'postgres',
    DB_USER: cluster.role,
    SUPERUSER_PASSWORD: PASSWORD,
    HEADWATER_THREADS: '1',
    MAPSERVER_PORT: '0',
    FREE_DISK_WARN_MB: '2',
    FREE_DISK_FAIL_MB: '1',
  };
  const promised = new Set<string>();
  const yard: ChaosYard = {
    cluster,
    dataDir: folder,
    port,
    stores,
    promised,
    async startServer(env = {}) {
      const all = { ...base, WORKER: 'off', ...env };
      const server = await startServerProcess({ dataDir: folder, port, env: all, args: ['--no-sample'] });
      processes.push(server);
      return server;
    },
    async startWorker(env = {}) {
      const all = { ...base, ...env };
      const worker = await startCommand({ dataDir: folder, env: all, args: ['worker', '--queue', 'nrm'] });
      processes.push(worker);
      return worker;
    },
    async signIn(server) {
      const [, name = ''] = await server.printed(/superuser {8}(\S+)\n/, STEP_MS);
      return signIn(server.baseUrl, name, PASSWORD);
    },
    async request(client, choice) {
      const [tehsil, route] = [TEHSILS[choice % TEHSILS.length], ROUTES[Math.floor(choice / TEHSILS.length)]];
      const place = { state: 'Virtapradesh', district: 'Nirmalgarh', block: tehsil };
      const body = { ...place, start_year: YEAR, end_year: YEAR, eo_account_id: 1, overwrite: true };
      const answer = await client.post<{ run_id: string }>(`/api/v1/${route}/`, body).catch(() => undefined);
      if (answer?.status !== 202) return undefined;
      promised.add(answer.body.run_id);
      return answer.body.run_id;
    },
    async open() {
      // All runs are read by one query. With a query for each state, a run that starts in between could be missing.
      const { runs } = await stores.runs.list({ limit: 10_000, offset: 0 });
      return runs.filter((run) => !hasEnded(run));
    },
    async untilEnded() {
      const from = performance.now();
      const states = async (): Promise<readonly unknown[]> =>
        (await yard.open()).map(({ id, state, attempt, leaseUntil }) => ({ id, state, attempt, leaseUntil }));
      await expect.poll(states, { interval: 100, timeout: TERMINAL_MS }).toEqual([]);
      return (performance.now() - from) / 1000;
    },
    async close() {
      await Promise.all(processes.map((each) => each.stop('SIGKILL')));
      await stores.close();
      cluster.remove();
      await rm(folder, { recursive: true, force: true });
    },
  };
  return yard;
}

async function writePlaces(folder: string, tehsils: readonly string[]): Promise<void> {
  for (const [at, tehsil] of tehsils.entries()) {
    const { mws, ...place } = smallPlace(tehsil);
    const own = mws.map(({ geometry }, index) => ({ uid: `12_96${at}00${index}`, geometry }));
    await writePlace(join(folder, 'places', `chaos-${at}`), { ...place, mws: own });
  }
}

/** Calls `work` repeatedly until it returns a value. */
export async function eventually<T>(work: () => Promise<T | undefined>): Promise<T> {
  const until = performance.now() + STEP_MS;
  let reason: unknown;
  while (performance.now() < until) {
    try {
      const value = await work();
      if (value !== undefined) return value;
    } catch (error) {
      reason = error;
    }
    await pause(50);
  }
  throw new Error(`nothing happened within ${STEP_MS / 1000} s`, { cause: reason });
}

/** Checks and returns all runs: each has succeeded and published its Items once, except `expected` failures. */
export async function expectNothingLost(
  { stores, promised }: ChaosYard,
  client: Client,
  expected: readonly (string | undefined)[] = [],
): Promise<readonly Run[]> {
  const all = (await stores.runs.list({ limit: 10_000, offset: 0 })).runs;
  const ids = new Set(all.map(({ id }) => id));
  const runs = all.filter(({ id }) => !expected.includes(id));
  expect(
    [...promised].filter((id) => !ids.has(id)),
    'promised runs that were lost',
  ).toEqual([]);
  const versions = new Map<string, number>();
  for (const run of runs) {
    expect([run.id, run.state, run.error]).toEqual([run.id, 'success', null]);
    const events = await stores.runs.events(run.id, 0, 10_000);
    const ends = events.filter(({ kind, data }) => kind === 'state' && /success|failed/.test(String(data['state'])));
    expect([run.id, ends.length]).toEqual([run.id, 1]);
    expect(
      events.map(({ seq }) => seq),
      run.id,
    ).toEqual(events.map((_, index) => index + 1));
    // A run with `publishedBy` lists Items that another run published, so they are not counted again.
    if (run.publishedBy === null) for (const id of run.itemIds) versions.set(id, (versions.get(id) ?? 0) + 1);
  }
  await expectWholeItems({ stores, runs }, { client, versions });
  return runs;
}

interface ItemBody {
  readonly properties: Readonly<Record<string, unknown>>;
  readonly assets: Readonly<Record<string, { readonly href: string; readonly 'file:checksum'?: string }>>;
}

async function expectWholeItems(
  { stores, runs }: { readonly stores: Stores; readonly runs: readonly Run[] },
  { client, versions }: { readonly client: Client; readonly versions: ReadonlyMap<string, number> },
): Promise<void> {
  const items = (await Promise.all(runs.map(({ id }) => stores.catalog.itemsOfRun(id)))).flat();
  const current = items.filter(({ replaced }) => !replaced);
  expect(current.map(({ id }) => id).sort()).toEqual([...versions.keys()].sort());
  for (const { id, version, collectionPath } of current) {
    expect([id, version]).toEqual([id, versions.get(id)]);
    const { status, body } = await client.get<ItemBody>(`/api/v1/stac/${collectionPath}/items/${id}/`);
    expect([id, status, body.properties['version']]).toEqual([id, 200, String(version)]);
    for (const { href, 'file:checksum': checksum } of Object.values(body.assets)) {
      const answer = await fetch(href);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      expect([href, answer.status]).toEqual([href, 200]);
      if (checksum === undefined) continue;
      expect([href, `1220${createHash('sha256').update(bytes).digest('hex')}`]).toEqual([href, checksum]);
    }
  }
}
