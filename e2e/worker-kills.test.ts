import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { between, chance, SAMPLE_YEARS } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres } from '../scripts/postgres-cluster.mjs';
import type { Client } from './client.ts';
import { checkLeftovers, checkRuns, everyAssetIsWhole } from './kill-checks.fixture.ts';
import { ask, at, followed, type RunBody, runWhen } from './server-pair.fixture.ts';
import { runCommand, type RunningProcess, type ServerProcess } from './server-process.ts';
import { askFor, openWorkerYard, PATIENCE_MS, runAt, type WorkerYard } from './worker-yard.fixture.ts';
import { sized } from '../scripts/test-length.mjs';

/** Another sequence of random moments: HEADWATER_KILL_SEED=12345; fewer of them: HEADWATER_KILLS=10. */
const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const KILLS = Number(process.env['HEADWATER_KILLS'] ?? sized(30, 60));
/** Runs that wait or are at work while processes are killed, at least. */
const BUSY = 3;
/** Three deaths are `crashed_repeatedly`, which is right but not what is looked at here. */
const MOST_HITS = 2;
/** Of the two workers. */
const INDEXES = [0, 1] as const;
/** Long, so that what crosses processes quickly has not come with a heartbeat (20 s) or a lease's end. */
const LONG_LEASE = { RUN_LEASE_SECONDS: '60' };
const SHORT_LEASE = { RUN_LEASE_SECONDS: '3' };

const { make, missing } = findPostgres();
if (make === undefined) {
  console.log(`skipped: a service and its workers that are killed. ${missing ?? ''}`);
  if (process.env['CI'] === 'true') throw new Error(`CI=true: a missing program is a failure. ${missing ?? ''}`);
}

const isOver = ({ state }: Pick<RunBody, 'state'>): boolean => state === 'success' || state === 'failed';
const pause = (ms: number): Promise<void> => new Promise((settle) => setTimeout(settle, ms));

describe.skipIf(make === undefined)('a service without a worker of its own', () => {
  let yard: WorkerYard;
  let server: ServerProcess;
  let worker: RunningProcess;
  let client: Client;
  beforeAll(async () => {
    if (make !== undefined) yard = await openWorkerYard(make);
  });
  afterAll(() => yard.close());

  it(
    'has its first start computed by a worker beside it',
    async () => {
      server = await yard.start(LONG_LEASE);
      await server.printed(/runs wait in queue nrm for processes started by/, PATIENCE_MS);
      worker = await yard.startWorker(LONG_LEASE);
      await worker.printed(/the worker takes runs of queue nrm, 1 at a time/, PATIENCE_MS);
      await server.printed(/Open http/, PATIENCE_MS);
      expect(server.output()).not.toContain('attempt begins');
      expect(worker.output()).toMatch(/"pipeline":"lulc_for_tehsil","attempt":1.*attempt begins/);
      client = await yard.signIn(server);
      const { body } = await client.get<{ status: string; parts: Record<string, unknown> }>('/api/health');
      expect(body.parts['worker']).toEqual({
        state: 'off',
        detail: expect.stringMatching(/queue nrm: 0 runs at work, 0 waiting, the last one was claimed at /),
      });
    },
    2 * PATIENCE_MS,
  );

  it(
    'has no worker with another folder, and none on the embedded database',
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
    PATIENCE_MS,
  );

  it(
    'shows the progress of the worker within a second, and stops its run when it is cancelled',
    async () => {
      const id = await ask(client, SAMPLE_YEARS[0]);
      const stream = followed(server, client, id);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      const asked = performance.now();
      await client.post(`/api/v1/runs/${id}/cancel/`, {});
      await worker.printed(new RegExp(`"runId":"${id}".*"ending":"cancelled"`), 5000);
      expect(await runWhen(client, id, isOver)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
      const { text } = await stream;
      expect(text).toMatch(/event: ?progress/);
      console.log(`cancelled in ${(performance.now() - asked).toFixed(0)} ms`);
    },
    PATIENCE_MS,
  );

  it(
    'gets the run of a worker that is told to stop back at once, and no attempt is used up',
    async () => {
      const id = await ask(client, SAMPLE_YEARS[0]);
      await runWhen(client, id, ({ progress }) => progress > 0.05);
      expect((await worker.stop('SIGTERM')).code).toBe(0);
      expect(await yard.stores.runs.get(id)).toMatchObject({ state: 'queued', attempt: 0 });
      worker = await yard.startWorker(SHORT_LEASE);
      expect(await runWhen(client, id, isOver)).toMatchObject({ state: 'success', attempt: 1 });
      await Promise.all([worker.stop('SIGTERM'), server.stop('SIGTERM')]);
    },
    PATIENCE_MS,
  );

  it(
    'and its two workers, killed many times at random, lose no run, publish none twice and leave nothing behind',
    async () => {
      const lives = await startLives();
      for (let turn = 0; turn < KILLS;) turn += await killSome(lives, turn);
      await Promise.all(lives.workers.map((each) => each.printed(/takes runs/, PATIENCE_MS)));
      server = await lives.server;
      const restarted = performance.now();
      await expect.poll(async () => (await yard.open()).length, { interval: 100, timeout: 60_000 }).toBe(0);
      console.log(
        `every run had ended ${((performance.now() - restarted) / 1000).toFixed(1)} s after the last restart`,
      );
      await everyAssetIsWhole(at(server, client));
      for (const each of [...lives.workers, server]) expect((await each.stop('SIGTERM')).code).toBe(0);
      const runs = await checkRuns(yard.stores, lives.promised);
      const hit = runs.filter(({ attempt }) => attempt > 1).length;
      console.log(`${runs.length} runs, ${lives.promised.size} of them promised, ${hit} in more than one attempt`);
      expect(hit, 'kills hit runs at work').toBeGreaterThan(KILLS / 12);
      await checkLeftovers(yard.stores, yard.dataDir);
    },
    3 * PATIENCE_MS,
  );

  /** The processes of now, and what became of the runs. */
  interface Lives {
    /** Answers once it is healthy. */
    server: Promise<ServerProcess>;
    /** The server while it is healthy: workers are killed meanwhile, and go on without one. */
    present: ServerProcess | undefined;
    readonly workers: RunningProcess[];
    /** How many requests were sent. */
    asked: number;
    /** Every run id that a 202 has told. */
    readonly promised: Set<string>;
    /** How often a run's worker was killed. */
    readonly hits: Map<string, number>;
  }

  async function startLives(): Promise<Lives> {
    console.log(`killing with seed ${SEED}; HEADWATER_KILL_SEED=${SEED} repeats it`);
    const workers = await Promise.all([yard.startWorker(SHORT_LEASE), yard.startWorker(SHORT_LEASE)]);
    const present = await yard.start(SHORT_LEASE);
    return { server: Promise.resolve(present), present, workers, asked: 0, promised: new Set(), hits: new Map() };
  }

  /** Kills one process or more at a random moment and starts them anew; returns how many. */
  async function killSome(lives: Lives, turn: number): Promise<number> {
    // Mostly in the middle of a run, now and then while a worker starts or has nothing to do.
    const isAnyMoment = chance(SEED, turn, 3) < 0.2;
    const isTime = (): boolean => isAnyMoment || INDEXES.some((index) => isHittable(lives, index));
    while ((await keepBusy(lives)) || !isTime()) await pause(30);
    const wait = between(0, 400, [SEED, turn, 4]);
    await pause(wait);
    const which = chance(SEED, turn, 2);
    const one = INDEXES.find((index) => isHittable(lives, index)) ?? (which < 0.7 ? 0 : 1);
    const victims = (which < 0.35 ? INDEXES : [one]).filter(
      (index) => isHittable(lives, index) || runAtOf(lives, index) === undefined,
    );
    const isServerToo = which > 0.5 && lives.present !== undefined;
    await Promise.all([
      ...victims.map((index) => killWorker(lives, index)),
      isServerToo ? killServer(lives, turn) : undefined,
    ]);
    const killed = [...victims.map((index) => `worker ${index + 1}`), ...(isServerToo ? ['server'] : [])];
    const who = killed.length === 0 ? 'nobody, the run at work was hit often enough' : killed.join(', ');
    console.log(`kill ${turn + 1}, after ${wait.toFixed(0)} ms: ${who}; ${lives.promised.size} promised`);
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

  /** Asks for more where little is left to do; waits for the server only where nothing is. True where nothing is to do even so. */
  async function keepBusy(lives: Lives): Promise<boolean> {
    const open = (await yard.open()).length;
    const present = open === 0 ? await lives.server : lives.present;
    if (present === undefined) return false;
    for (let more = open; more < BUSY; more += 1) {
      lives.asked += 1;
      const id = await askFor(at(present, client), chance(SEED, lives.asked, 5));
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

  /** Kills the server while it answers a request, or just before or after. */
  async function killServer(lives: Lives, turn: number): Promise<void> {
    const { present } = lives;
    if (present === undefined) return;
    const asked = askFor(at(present, client), chance(SEED, turn, 6));
    await pause(between(0, 40, [SEED, turn, 7]));
    await present.stop('SIGKILL');
    const id = await asked;
    if (id !== undefined) lives.promised.add(id);
    lives.present = undefined;
    lives.server = yard.start(SHORT_LEASE).then((next) => (lives.present = next));
    // Whoever waits for it is told.
    lives.server.catch(() => {});
  }
});
