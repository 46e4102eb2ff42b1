import { join } from 'node:path';
import type { RunPart } from '@headwater/core/ports';
import { partState } from '@headwater/core/runs';
import { writePlace } from '@headwater/ingest';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { boxPolygon } from '../scripts/boxes.mjs';
import { sized } from '../scripts/test-length.mjs';
import { smallPlace } from '../packages/server/src/small-world.fixture.ts';
import { type ChaosYard, openChaosYard, postgresFor, STEP_MS } from './chaos-yard.fixture.ts';
import type { Client } from './client.ts';
import type { RunningProcess, ServerProcess } from './server-process.ts';
import { runAt } from './worker-yard.fixture.ts';

/** Number of tehsils; one of them has no scenes. */
const TEHSILS = sized(6, 40);
const YEAR = 2021;
const LEASE = { RUN_LEASE_SECONDS: '3' };
const FAR = { ...smallPlace('Far'), geometry: boxPolygon({ west: 70, south: 10, east: 70.01, north: 10.01 }), mws: [] };

const make = postgresFor('a run over a district while its processes are killed');

interface Report {
  readonly status: string;
  readonly counts: Readonly<Record<string, number>>;
  readonly results: readonly {
    readonly block: string;
    readonly state: string;
    readonly run_id: string;
    readonly error: { readonly code: string } | null;
  }[];
}

describe.skipIf(make === undefined)('a run over a district', () => {
  let yard: ChaosYard;
  let server: ServerProcess;
  let client: Client;
  const workers: RunningProcess[] = [];
  beforeAll(async () => {
    if (make === undefined) return;
    const names = Array.from({ length: TEHSILS - 1 }, (_, at) => `Scope ${at}`);
    yard = await openChaosYard(make, undefined, names);
    await writePlace(join(yard.dataDir, 'places', 'far'), FAR);
  }, STEP_MS);
  afterAll(() => yard.close());

  const partsOf = (id: string): Promise<readonly RunPart[]> => yard.stores.runs.parts(id);
  const untilEnded = async (id: string, count: number): Promise<void> => {
    const ended = async (): Promise<number> =>
      (await partsOf(id)).filter((part) => ['success', 'failed'].includes(partState(part, id))).length;
    await expect.poll(ended, { interval: 20, timeout: STEP_MS }).toBeGreaterThanOrEqual(count);
  };
  const killedAtWork = async (): Promise<void> => {
    const busy = (): number => workers.findIndex((worker) => runAt(worker) !== undefined);
    await expect.poll(busy, { interval: 5, timeout: STEP_MS }).toBeGreaterThanOrEqual(0);
    await workers[busy()]?.stop('SIGKILL');
    workers.push(await yard.startWorker(LEASE));
  };
  const restarted = async (): Promise<void> => {
    await server.stop('SIGKILL');
    server = await yard.startServer(LEASE);
  };

  it(
    'publishes every tehsil once and reports the failed tehsil, if two servers and a worker are killed',
    async () => {
      server = await yard.startServer(LEASE);
      client = await yard.signIn(server);
      workers.push(await yard.startWorker(LEASE), await yard.startWorker(LEASE));
      // Waits for the account, because a starting server stores the account after the places.
      const account = (): Promise<unknown> => yard.stores.eoAccounts.byId(1);
      await expect.poll(account, { interval: 50, timeout: STEP_MS }).toBeDefined();
      const place = { state: 'Virtapradesh', district: 'Nirmalgarh' };
      const body = { ...place, start_year: YEAR, end_year: YEAR, eo_account_id: 1 };
      const answer = await client.post<{ run_id: string }>('/api/v1/lulc_for_district/', body);
      expect([answer.status, answer.body]).toEqual([202, expect.anything()]);
      const { run_id: id } = answer.body;
      await killedAtWork();
      await restarted();
      // Waits, so that the next kill is in the middle of the run.
      await untilEnded(id, sized(2, 16));
      await restarted();
      await untilEnded(id, TEHSILS);
      await expect
        .poll(async () => (await yard.stores.runs.get(id))?.state, { interval: 50, timeout: STEP_MS })
        .toBe('failed');
      const { body: report } = await client.get<Report>(`/api/v1/runs/${id}/tehsils/`);
      expect(report).toMatchObject({ status: 'failed', counts: { success: TEHSILS - 1, failed: 1 } });
      const failed = report.results.filter(({ state }) => state === 'failed');
      expect(failed).toMatchObject([{ block: 'Far', error: { code: 'no_scenes' } }]);
      expect((await yard.stores.runs.get(id))?.error?.message).toMatch(/^1 of \d+ tehsils failed: Far \(Nirmalgarh\)/);
      await expectPublishedOnce(report, id);
      expect(await yard.open()).toEqual([]);
    },
    5 * STEP_MS,
  );

  async function expectPublishedOnce({ results }: Report, id: string): Promise<void> {
    const { runs } = await yard.stores.runs.list({ parentId: id, limit: 1000, offset: 0 });
    expect(new Set(runs.map(({ params }) => params['tehsilId'])).size).toBe(runs.length);
    expect(runs).toHaveLength(TEHSILS);
    for (const { run_id: run, state } of results) {
      const items = await yard.stores.catalog.itemsOfRun(run);
      expect(items.map(({ version, replaced }) => [version, replaced])).toEqual(
        state === 'success'
          ? [
              [1, false],
              [1, false],
            ]
          : [],
      );
    }
  }
});
