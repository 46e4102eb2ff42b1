import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sized } from '../scripts/test-length.mjs';
import {
  type ChaosYard,
  eventually,
  expectNothingLost,
  openChaosYard,
  postgresFor,
  REQUESTS,
  STEP_MS,
} from './chaos-yard.fixture.ts';
import type { Client } from './client.ts';
import { openFlood } from './flood.fixture.ts';
import type { RunningProcess, ServerProcess } from './server-process.ts';

const ENV = { RUN_LEASE_SECONDS: '8' } as const;
const AWAY_MS = sized(8000, 30_000);
/** Timeout of a request. It is longer than the outage, because requests wait for a frozen database. */
const ANSWER_MS = AWAY_MS + 20_000;

const make = postgresFor('a service under faults');

describe.skipIf(make === undefined)('a service under load', () => {
  let yard: ChaosYard;
  let server: ServerProcess;
  let worker: RunningProcess;
  let client: Client;

  beforeAll(async () => {
    if (make === undefined) return;
    yard = await openChaosYard(make);
    server = await yard.startServer(ENV);
    client = await yard.signIn(server);
    worker = await yard.startWorker(ENV);
    // Waits for the start of the worker, because a worker that starts without a database ends.
    await worker.printed(/computes runs of queue/, STEP_MS);
  });
  afterAll(() => yard?.close());

  interface Answer {
    readonly path: string;
    readonly status: number;
    readonly ms: number;
    readonly retryAfter: string | null;
  }

  /** Sends requests until `isOver` returns true. Throws if a GET gets no response. */
  async function load(isOver: () => boolean): Promise<readonly Answer[]> {
    const answers: Answer[] = [];
    const paths = ['/api/v1/runs/', '/api/v1/stac-api/search', '/api/health', '/api/v1/stac/', '/places/'];
    const headers = { authorization: `Bearer ${client.token}` };
    const one = async (path: string): Promise<void> => {
      while (!isOver()) {
        const from = performance.now();
        const answer = await fetch(server.baseUrl + path, { headers, signal: AbortSignal.timeout(ANSWER_MS) });
        await answer.arrayBuffer();
        const [ms, retryAfter] = [performance.now() - from, answer.headers.get('retry-after')];
        answers.push({ path, status: answer.status, ms, retryAfter });
        await pause(20);
      }
    };
    const requests = async (): Promise<void> => {
      for (let turn = 0; !isOver(); turn += 1) {
        await yard.request(client, turn % REQUESTS);
        await pause(500);
      }
    };
    await Promise.all([...paths.map(one), requests()]);
    return answers;
  }

  async function loseDatabase(lose: () => void, comeBack: () => void): Promise<readonly Answer[]> {
    await eventually(async () => (await yard.request(client, 0)) ?? (await yard.request(client, 1)));
    lose();
    let isOver = false;
    const answers = load(() => isOver);
    await pause(AWAY_MS);
    isOver = true;
    // Called before the responses are awaited, because requests wait until a frozen database continues.
    comeBack();
    return await answers;
  }

  async function expectAllWell(): Promise<void> {
    for (const path of ['/api/health', '/api/v1/stac-api/search', '/places/'])
      expect([
        path,
        await eventually(async () => ((await fetch(server.baseUrl + path)).status === 200 ? 200 : undefined)),
      ]).toEqual([path, 200]);
    await eventually(() => yard.request(client, 2));
    console.log(`all runs had ended ${(await yard.untilEnded()).toFixed(1)} s after the database was back`);
    expect([server.hasEnded(), worker.hasEnded()]).toEqual([false, false]);
    await expectNothingLost(yard, client);
  }

  const summary = (answers: readonly Answer[]): string => {
    const statuses = Object.groupBy(answers, ({ status }) => status);
    const counts = Object.entries(statuses).map(([status, each]) => `${each?.length} x ${status}`);
    return `${counts.join(', ')}; the longest took ${Math.max(...answers.map(({ ms }) => ms)).toFixed(0)} ms`;
  };

  it(
    'answers 200, or 503 with Retry-After, while the database is unavailable, and needs no restart afterwards',
    async () => {
      const answers = await loseDatabase(
        () => yard.cluster.kill(),
        () => yard.cluster.start(),
      );
      console.log(summary(answers));
      const wrong = answers.filter(
        ({ path, status, retryAfter }) =>
          !(status === 200 || (status === 503 && (path === '/api/health' || retryAfter !== null))),
      );
      expect(wrong).toEqual([]);
      expect(answers.some(({ status }) => status === 503)).toBe(true);
      await expectAllWell();
    },
    3 * STEP_MS,
  );

  it(
    'answers every request while the database is frozen, and needs no restart afterwards',
    async () => {
      const answers = await loseDatabase(
        () => yard.cluster.freeze(),
        () => yard.cluster.thaw(),
      );
      console.log(summary(answers));
      expect(answers.filter(({ status }) => ![200, 503].includes(status))).toEqual([]);
      await expectAllWell();
    },
    3 * STEP_MS,
  );

  it(
    `a stop drops none of ${sized(200, 1000)} connections: each accepted request is answered`,
    async () => {
      const port = Number(new URL(server.baseUrl).port);
      const paths = ['/api/v1/stac/', '/api/v1/stac-api/search?limit=1', '/api/v1/proposed_blocks/'];
      const flood = await openFlood(port, sized(200, 1000), paths);
      flood.mark();
      const { code } = await server.stop('SIGTERM');
      await flood.over;
      const { answered, dropped, crossed, closed, idle } = flood;
      console.log(
        `answered ${JSON.stringify([...answered])}; dropped ${dropped}, crossed ${crossed}, closed ${closed}, idle ${idle}`,
      );
      expect({ code, dropped, crossed }).toEqual({ code: 0, dropped: 0, crossed: 0 });
      expect(closed + idle).toBe(sized(200, 1000));
    },
    STEP_MS,
  );
});
