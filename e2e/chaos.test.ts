import { setTimeout as pause } from 'node:timers/promises';
import { between, chance } from '@headwater/sample-world';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../scripts/test-length.mjs';
import {
  type ChaosYard,
  eventually,
  expectNothingLost,
  openChaosYard,
  postgresFor,
  REQUESTS,
} from './chaos-yard.fixture.ts';
import type { Client } from './client.ts';
import { checkLeftovers } from './kill-checks.fixture.ts';
import type { RunningProcess, ServerProcess } from './server-process.ts';
import { runAt } from './worker-yard.fixture.ts';

/** HEADWATER_KILL_SEED=12345 sets another seed, HEADWATER_KILLS=10 another number of kills. */
const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const KILLS = Number(process.env['HEADWATER_KILLS'] ?? sized(12, 100));
const BUSY = 4;
/** Largest number of kills of a run's worker; after three kills the run would fail with `crashed_repeatedly`. */
const MOST_HITS = 2;
/**
 * A short lease, so that runs of killed workers are soon claimed again. It is longer than an outage of the
 * database.
 */
const ENV = { RUN_LEASE_SECONDS: '8' } as const;
const MINUTES = 60_000;
const INDEXES = [0, 1] as const;

const make = postgresFor('a service, workers and a database that are killed');

describe.skipIf(make === undefined)('a service, two workers and a PostgreSQL', () => {
  let yard: ChaosYard;
  let client: Client;
  let lives: Lives;

  interface Lives {
    server: ServerProcess | undefined;
    /** Resolves when the server runs again. */
    restart: Promise<void>;
    readonly workers: RunningProcess[];
    /** Number of kills of the worker of a run, by run id. */
    readonly hits: Map<string, number>;
    requests: number;
  }

  beforeAll(async () => {
    if (make === undefined) return;
    console.log(`seed of the kills: ${SEED}; repeat with HEADWATER_KILL_SEED=${SEED}`);
    yard = await openChaosYard(make);
    const server = await yard.startServer(ENV);
    client = await yard.signIn(server);
    const workers = [await yard.startWorker(ENV), await yard.startWorker(ENV)];
    lives = { server, restart: Promise.resolve(), workers, hits: new Map(), requests: 0 };
  });
  afterAll(() => yard?.close());

  it(
    'are killed at random times: no run is lost or published twice, and all runs end within a minute',
    async () => {
      for (let kill = 0; kill < KILLS || yard.promised.size < KILLS; kill += 1) {
        await keepBusy();
        await pause(between(0, 500, [SEED, kill, 1]));
        console.log(`kill ${kill + 1}: ${await strike(kill)}; ${yard.promised.size} runs promised`);
      }
      await lives.restart;
      console.log(`all runs had ended ${(await yard.untilEnded()).toFixed(1)} s after the last restart`);
      const runs = await expectNothingLost(yard, client);
      const hit = runs.filter(({ attempt }) => attempt > 1).length;
      console.log(`${runs.length} runs, ${yard.promised.size} of them promised, ${hit} in more than one attempt`);
      expect(yard.promised.size).toBeGreaterThanOrEqual(KILLS);
      expect(hit, 'some kills interrupt running runs').toBeGreaterThan(0);
      await expectNoFilesLeft();
    },
    sized(20, 60) * MINUTES,
  );

  /** Requests runs until at least one is open, so that each kill can interrupt a run. */
  async function keepBusy(): Promise<void> {
    await eventually(async () => {
      // Throws the reason if the restart failed.
      if (lives.server === undefined) await lives.restart;
      const open = (await yard.open()).length;
      for (let more = open; more < BUSY; more += 1)
        await yard.request(client, Math.floor(chance(SEED, (lives.requests += 1), 2) * REQUESTS));
      return (await yard.open()).length > 0 ? true : undefined;
    });
  }

  async function strike(kill: number): Promise<string> {
    const which = chance(SEED, kill, 3);
    if (which < 0.25) return killServer(kill);
    if (which < 0.6) return killWorkers(kill, which < 0.32 ? 2 : 1);
    if (which < 0.85) return killDatabase(kill);
    return yard.cluster.killBackend() ? 'one backend of the database' : 'none, because the database has no backend';
  }

  async function killServer(kill: number): Promise<string> {
    const { server } = lives;
    if (server === undefined) return 'none, because the service is starting';
    // The request is sent before the kill, so that the service is killed while it handles this request.
    const requested = yard.request(client, Math.floor(chance(SEED, kill, 4) * REQUESTS));
    await pause(between(0, 40, [SEED, kill, 5]));
    await server.stop('SIGKILL');
    await requested;
    lives.server = undefined;
    lives.restart = eventually(() => yard.startServer(ENV)).then((next) => void (lives.server = next));
    lives.restart.catch(() => {});
    return 'the service';
  }

  /** Kills up to `most` workers while a run is computed, but no worker whose run already has `MOST_HITS` kills. */
  async function killWorkers(kill: number, most: number): Promise<string> {
    const mayHit = (index: number): boolean => {
      const id = runOf(index);
      return id !== undefined && (lives.hits.get(id) ?? 0) < MOST_HITS;
    };
    await eventually(async () => {
      await keepBusy();
      return INDEXES.some(mayHit) ? true : undefined;
    });
    await pause(between(0, 400, [SEED, kill, 7]));
    const victims = INDEXES.filter((index) => mayHit(index) || runOf(index) === undefined).slice(0, most);
    await Promise.all(
      victims.map(async (index) => {
        const id = runOf(index);
        if (id !== undefined) lives.hits.set(id, (lives.hits.get(id) ?? 0) + 1);
        await lives.workers[index]?.stop('SIGKILL');
        lives.workers[index] = await yard.startWorker(ENV);
      }),
    );
    return victims.map((index) => `worker ${index + 1}`).join(' and ');
  }

  const runOf = (index: number): string | undefined => {
    const worker = lives.workers[index];
    return worker === undefined ? undefined : runAt(worker);
  };

  async function killDatabase(kill: number): Promise<string> {
    const away = between(0, 1500, [SEED, kill, 6]);
    yard.cluster.kill();
    await pause(away);
    yard.cluster.start();
    await reviveWorkers();
    return `the database, for ${away.toFixed(0)} ms`;
  }

  /** Starts ended workers again. A worker ends if it starts while there is no database. */
  async function reviveWorkers(): Promise<void> {
    for (const [index, worker] of lives.workers.entries())
      if (worker.hasEnded()) {
        expect(
          worker.output(),
          'a worker that was ready to compute must not end when the database is lost',
        ).not.toMatch(/the worker computes runs/);
        lives.workers[index] = await yard.startWorker(ENV);
      }
  }

  async function expectNoFilesLeft(): Promise<void> {
    for (const each of [...lives.workers, lives.server]) expect((await each?.stop('SIGTERM'))?.code).toBe(0);
    await checkLeftovers(yard.stores, yard.dataDir);
  }
});
