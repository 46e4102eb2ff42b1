import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { between, chance, SAMPLE_YEARS } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import type { Client } from './client.ts';
import { checkLeftovers, checkRuns, expectCompleteAssets } from './kill-checks.fixture.ts';
import { requestLandCover, at, followed, type RunBody, runWhen } from './server-pair.fixture.ts';
import { runCommand, type RunningProcess, type ServerProcess } from './server-process.ts';
import { requestRun, openWorkerYard, TIMEOUT_MS, runAt, type WorkerYard } from './worker-yard.fixture.ts';
import { sized } from '../scripts/test-length.mjs';

/** HEADWATER_KILL_SEED=12345 sets another seed, HEADWATER_KILLS=10 another number of kills. */
const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const KILLS = Number(process.env['HEADWATER_KILLS'] ?? sized(12, 60));
const BUSY = 3;
/** Largest number of kills of workers during one run; after three, the run would fail with `crashed_repeatedly`. */
const MOST_HITS = 2;
const INDEXES = [0, 1] as const;
/** Heartbeats every 20 s, so that only a notification of PostgreSQL can cause a faster reaction. */
const LONG_LEASE = { RUN_LEASE_SECONDS: '60' };
const SHORT_LEASE = { RUN_LEASE_SECONDS: '3' };

const { make, missing } = findPostgres();
if (make === undefined) {
  console.log(`skipped: killed services and workers. ${missing ?? ''}`);
  if (process.env['CI'] === 'true') throw new Error(`CI=true: a missing program is a failure. ${missing ?? ''}`);
}

const isOver = ({ state }: Pick<RunBody, 'state'>): boolean => state === 'success' || state === 'failed';
const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

describe.skipIf(make === undefined)('a service without a worker in its process', () => {
  let yard: WorkerYard;
  let server: ServerProcess;
  let worker: RunningProcess;
  let client: Client;
  beforeAll(async () => {
    if (make !== undefined) yard = await openWorkerYard(make);
  });
  afterAll(() => yard.close());

  it(
    'leaves the computations of its first start to a separate worker',
    async () => {
      server = await yard.start(LONG_LEASE);
      await server.printed(/runs wait in queue nrm for processes with the same settings, started by/, TIMEOUT_MS);
      worker = await yard.startWorker(LONG_LEASE);
      await worker.printed(/the worker computes runs of queue nrm, 1 at a time/, TIMEOUT_MS);
      await server.printed(/Open http/, TIMEOUT_MS);
      expect(server.output()).not.toContain('attempt begins');
      expect(worker.output()).toMatch(/"pipeline":"lulc_for_tehsil","attempt":1.*attempt begins/);
      client = await yard.signIn(server);
      const { body } = await client.get<{ status: string; parts: Record<string, unknown> }>('/api/health');
      expect(body.parts['worker']).toEqual({
        state: 'off',
        detail: expect.stringMatching(/queue nrm: 0 runs in progress, 0 waiting, the last one was claimed at /),
      });
    },
    2 * TIMEOUT_MS,
  );

  it(
    'accepts no worker with another folder, and no worker with the embedded database',
    async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'headwater-stranger-'));
      const elsewhere = await runCommand({ dataDir, env: yard.env, args: ['worker'] });
      expect([elsewhere.code, elsewhere.output]).toEqual([
        2,
        expect.stringMatching(/DATA_DIR: .* is not the folder of a service: .*\.headwater-folder is missing/),
      ]);
      const embedded = await runCommand({ dataDir: yard.dataDir, args: ['worker'] });
      expect([embedded.code, embedded.output]).toEqual([2, expect.stringMatching(/DB_HOST: is not set.*WORKER=off/)]);
      await rm(dataDir, { recursive: true });
    },
    TIMEOUT_MS,
  );

  it(
    'shows the progress of the worker, and stops a cancelled run within 5 s',
    async () => {
      const id = await requestLandCover(client, SAMPLE_YEARS[0]);
      const stream = followed(server, client, id);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      const requested = performance.now();
      await client.post(`/api/v1/runs/${id}/cancel/`, {});
      await worker.printed(new RegExp(`"runId":"${id}".*"ending":"cancelled"`), 5000);
      expect(await runWhen(client, id, isOver)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      const { text } = await stream;
      expect(text).toMatch(/event: ?progress/);
      console.log(`cancelled in ${(performance.now() - requested).toFixed(0)} ms`);
    },
    TIMEOUT_MS,
  );

  it(
    'gets back the run of a stopped worker immediately, without using up an attempt',
    async () => {
      const id = await requestLandCover(client, SAMPLE_YEARS[0]);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      expect((await worker.stop('SIGTERM')).code).toBe(0);
      expect(await yard.stores.runs.get(id)).toMatchObject({ state: 'queued', attempt: 0 });
      worker = await yard.startWorker(SHORT_LEASE);
      expect(await runWhen(client, id, isOver)).toMatchObject({ state: 'success', attempt: 1 });
      await Promise.all([worker.stop('SIGTERM'), server.stop('SIGTERM')]);
    },
    TIMEOUT_MS,
  );

  it(
    'loses no run, publishes no run twice and leaves no files if it and its two workers are killed many times at random',
    async () => {
      const lives = await startLives();
      for (let kills = 0; kills < KILLS;) kills += await killSome(lives, kills);
      await Promise.all(lives.workers.map((each) => each.printed(/computes runs of queue/, TIMEOUT_MS)));
      server = await lives.server;
      const restarted = performance.now();
      await expect.poll(async () => (await yard.open()).length, { interval: 100, timeout: 60_000 }).toBe(0);
      console.log(
        `every run had ended ${((performance.now() - restarted) / 1000).toFixed(1)} s after the last restart`,
      );
      await expectCompleteAssets(at(server, client));
      for (const each of [...lives.workers, server]) expect((await each.stop('SIGTERM')).code).toBe(0);
      const runs = await checkRuns(yard.stores, lives.promised);
      const hit = runs.filter(({ attempt }) => attempt > 1).length;
      console.log(`${runs.length} runs, ${lives.promised.size} of them promised, ${hit} in more than one attempt`);
      expect(hit, 'some kills interrupt running runs').toBeGreaterThan(KILLS / 12);
      await checkLeftovers(yard.stores, yard.dataDir);
    },
    3 * TIMEOUT_MS,
  );

  interface Lives {
    /** The newest server; resolves when its health check responds. */
    server: Promise<ServerProcess>;
    /** The running server; undefined during a restart. */
    present: ServerProcess | undefined;
    readonly workers: RunningProcess[];
    requests: number;
    /** Ids of the runs whose requests got 202. */
    readonly promised: Set<string>;
    readonly hits: Map<string, number>;
  }

  async function startLives(): Promise<Lives> {
    console.log(`seed of the kills: ${SEED}; repeat with HEADWATER_KILL_SEED=${SEED}`);
    const workers = await Promise.all([yard.startWorker(SHORT_LEASE), yard.startWorker(SHORT_LEASE)]);
    const present = await yard.start(SHORT_LEASE);
    return { server: Promise.resolve(present), present, workers, requests: 0, promised: new Set(), hits: new Map() };
  }

  async function killSome(lives: Lives, round: number): Promise<number> {
    // In 20 % of the rounds, a worker may be idle at the kill.
    const isAnyMoment = chance(SEED, round, 3) < 0.2;
    const isTime = (): boolean => isAnyMoment || INDEXES.some((index) => isHittable(lives, index));
    while ((await keepBusy(lives)) || !isTime()) await pause(30);
    const wait = between(0, 400, [SEED, round, 4]);
    await pause(wait);
    const which = chance(SEED, round, 2);
    const one = INDEXES.find((index) => isHittable(lives, index)) ?? (which < 0.7 ? 0 : 1);
    const victims = (which < 0.35 ? INDEXES : [one]).filter(
      (index) => isHittable(lives, index) || runAtOf(lives, index) === undefined,
    );
    const isServerToo = which > 0.5 && lives.present !== undefined;
    await Promise.all([
      ...victims.map((index) => killWorker(lives, index)),
      isServerToo ? killServer(lives, round) : undefined,
    ]);
    const killed = [...victims.map((index) => `worker ${index + 1}`), ...(isServerToo ? ['server'] : [])];
    const victimsText =
      killed.length === 0 ? 'none, because the running run was killed often enough' : killed.join(', ');
    console.log(`kill ${round + 1}, after ${wait.toFixed(0)} ms: ${victimsText}; ${lives.promised.size} promised`);
    return killed.length;
  }

  const runAtOf = ({ workers }: Lives, index: number): string | undefined => {
    const each = workers[index];
    return each === undefined ? undefined : runAt(each);
  };

  function isHittable(lives: Lives, index: number): boolean {
    const id = runAtOf(lives, index);
    return id !== undefined && (lives.hits.get(id) ?? 0) < MOST_HITS;
  }

  /** Requests runs so that about `BUSY` are open. Returns true if no run is open afterwards. */
  async function keepBusy(lives: Lives): Promise<boolean> {
    const open = (await yard.open()).length;
    const present = open === 0 ? await lives.server : lives.present;
    if (present === undefined) return false;
    for (let more = open; more < BUSY; more += 1) {
      lives.requests += 1;
      const id = await requestRun(at(present, client), chance(SEED, lives.requests, 5));
      if (id !== undefined) lives.promised.add(id);
    }
    return (await yard.open()).length === 0;
  }

  async function killWorker(lives: Lives, index: number): Promise<void> {
    const id = runAtOf(lives, index);
    if (id !== undefined) lives.hits.set(id, (lives.hits.get(id) ?? 0) + 1);
    await lives.workers[index]?.stop('SIGKILL');
    lives.workers[index] = await yard.startWorker(SHORT_LEASE);
  }

  async function killServer(lives: Lives, round: number): Promise<void> {
    const { present } = lives;
    if (present === undefined) return;
    const requested = requestRun(at(present, client), chance(SEED, round, 6));
    await pause(between(0, 40, [SEED, round, 7]));
    await present.stop('SIGKILL');
    const id = await requested;
    if (id !== undefined) lives.promised.add(id);
    lives.present = undefined;
    lives.server = yard.start(SHORT_LEASE).then((next) => (lives.present = next));
    // Prevents an unhandled rejection. Code that awaits `lives.server` still gets the error.
    lives.server.catch(() => {});
  }
});
