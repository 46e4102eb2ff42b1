import { setTimeout as pause } from 'node:timers/promises';
import { type Fault, FakeOrchestrator, type RecordedRequest } from '@headwater/orchestrator-client/testing';
import { chance } from '@headwater/sample-world';
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
import type { ServerProcess } from './server-process.ts';

const SEED = Number(process.env['HEADWATER_KILL_SEED'] ?? Math.floor(Math.random() * 1e6));
const RUNS = sized(12, 36);
const REFUSING_MS = 5000;
const DAG = 'headwater';
const make = postgresFor('an orchestrator with faults');

describe.skipIf(make === undefined)('an orchestrator with faults', () => {
  const fake = new FakeOrchestrator({
    dags: [
      {
        id: DAG,
        tasks: [
          { id: 'execute', run: ({ conf, post }) => post(`${String(conf['api_base'])}/api/export-asset`, { conf }) },
        ],
      },
    ],
  });
  let yard: ChaosYard;
  let server: ServerProcess;
  let client: Client;
  let close: (() => Promise<void>) | undefined;

  beforeAll(async () => {
    if (make === undefined) return;
    console.log(`seed of the faults: ${SEED}; repeat with HEADWATER_KILL_SEED=${SEED}`);
    const listening = await fake.listen();
    ({ close } = listening);
    yard = await openChaosYard(make);
    server = await yard.startServer({
      WORKER: 'on',
      ORCHESTRATOR_API_BASE: `${listening.url}/api/v1`,
      ORCHESTRATOR_DAG_ID: DAG,
      ORCHESTRATOR_USERNAME: 'admin',
      ORCHESTRATOR_PASSWORD: 'admin',
      SERVICE_API_BASE: `http://127.0.0.1:${yard.port}`,
    });
    client = await yard.signIn(server);
  });
  afterAll(async () => {
    await yard?.close();
    await close?.();
  });

  it(
    'the orchestrator fails, is slow, refuses credentials and forgets runs: no run is lost or published twice, and each failed run has a reason',
    async () => {
      let isRefusing = false;
      let requests = 0;
      const forgotten = new Set<string>();
      const forgets = ({ method, path }: RecordedRequest): boolean => method === 'GET' && forgotten.has(runPath(path));
      const gone: Fault = { kind: 'status', status: 404, body: '{"title":"DAGRun not found","status":404}' };
      fake.fault = (request) => {
        requests += 1;
        if (isRefusing) return { kind: 'status', status: 401 };
        if (chance(SEED, requests, 1) < 0.3) return { kind: 'status', status: 500 };
        const path = runPath(request.path);
        if (request.method === 'GET' && path !== '' && hashOf(path) % 8 === 0) forgotten.add(path);
        if (forgets(request)) return gone;
        return chance(SEED, requests, 2) < 0.3 ? { kind: 'late', ms: 2000 * chance(SEED, requests, 3) } : undefined;
      };
      for (let run = 0; run < RUNS; run += 1) {
        await eventually(() => yard.request(client, run % REQUESTS));
        if (run === Math.floor(RUNS / 2)) {
          isRefusing = true;
          await pause(REFUSING_MS);
          isRefusing = false;
        }
        await eventually(async () => ((await yard.open()).length < 4 ? true : undefined));
      }
      fake.fault = (request) => (forgets(request) ? gone : undefined);
      console.log(`all runs had ended ${(await yard.untilEnded()).toFixed(1)} s after the last fault`);
      const { runs } = await yard.stores.runs.list({ limit: 1000, offset: 0 });
      const failed = runs.filter(({ state }) => state === 'failed');
      const reasons = new Set(failed.map(({ error }) => `${error?.code}: ${error?.message}`));
      console.log(
        `${runs.length} runs, ${requests} requests, ${forgotten.size} forgotten; ${failed.length} failed:\n${[...reasons].join('\n')}`,
      );
      // Allowed causes: refused credentials, or a forgotten workflow run.
      for (const { error } of failed) expect(error?.message).toMatch(/401|credentials|404|forgot|no longer|not found/i);
      await expectNothingLost(
        yard,
        client,
        failed.map(({ id }) => id),
      );
      expect(server.hasEnded()).toBe(false);
    },
    3 * STEP_MS,
  );
});

/** Path of the workflow run in the path of a request; empty for other requests. */
const runPath = (path: string): string => /^.*\/dagRuns\/[^/]+/.exec(path)?.[0] ?? '';

const hashOf = (text: string): number =>
  [...text].reduce((hash, letter) => (hash * 31 + letter.charCodeAt(0)) % 65_521, 7);
