import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Client } from './client.ts';
import { districtCases } from './orchestrated-district.fixture.ts';
import { jobCases } from './orchestrated-jobs.fixture.ts';
import {
  type Block,
  openOrchestratedYard,
  type OrchestratedYard,
  type OrchestratorHarness,
  REGION_WITH_SCENES,
  SEEN,
} from './orchestrated-server.fixture.ts';
import { workflowRunCases } from './orchestrated-workflow-runs.fixture.ts';

interface Body {
  readonly run_id: string;
  readonly state: string;
  readonly step: string | null;
  readonly status: string;
  readonly code: string;
  readonly message: string;
  readonly backend: string;
  readonly after: readonly string[];
  readonly parent_run_id: string | null;
  readonly finished_at: string | null;
  readonly dag_id: string | null;
  readonly dag_run_id: string | null;
  readonly item_ids: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
  readonly details: { readonly task: string | null; readonly excerpt: string };
  readonly stac_items: readonly { readonly id: string; readonly links: readonly { rel: string; href: string }[] }[];
}

/** Timeout of a case, ms. It is long, because a real orchestrator takes seconds for each task. */
const CASE_MS = 180_000;
const START_MS = 300_000;

interface World {
  readonly harness: OrchestratorHarness;
  readonly yard: OrchestratedYard;
  readonly client: () => Client;
  /** Restarts the server with these variables. */
  readonly restart: (env?: Readonly<Record<string, string>>) => Promise<void>;
  readonly requestLayer: (block: Block, wait: boolean) => Promise<{ readonly status: number; readonly body: Body }>;
  readonly read: (id: string) => Promise<Body>;
  readonly until: (id: string, isSo: (run: Body) => boolean) => Promise<Body>;
  /** Returns the `job_id` of every run of a workflow. */
  readonly jobsAt: (dagId: string) => Promise<readonly unknown[]>;
}

/** Test cases of the reference server with a real or fake orchestrator. */
export function describeOrchestrated(name: string, open: () => Promise<OrchestratorHarness>): void {
  describe(name, () => {
    let opened: World | undefined;
    const world = (): World => {
      if (opened === undefined) throw new Error('the server was not started');
      return opened;
    };
    beforeAll(async () => {
      opened = await openWorld(await open());
    }, START_MS);
    afterAll(async () => {
      await opened?.yard.close();
      await opened?.harness.stop();
    });
    results(world);
    needs(world);
    ends(world);
    districtCases(world, CASE_MS);
    workflowRunCases(world, CASE_MS);
    // These cases come after the cases above, because they restart the server with another workflow for jobs.
    jobCases(world, CASE_MS);
    paused(world);
    refusals(world);
  });
}

async function openWorld(harness: OrchestratorHarness): Promise<World> {
  const yard = await openOrchestratedYard(harness);
  let client = await yard.start();
  const read = async (id: string): Promise<Body> => (await client.get<Body>(`/api/v1/runs/${id}/`)).body;
  return {
    harness,
    yard,
    client: () => client,
    restart: async (env) => {
      client = await yard.start(env);
    },
    requestLayer: async (block, wait) =>
      await client.post<Body>(`/api/v1/generate_mws_layer/?wait=${String(wait)}&overwrite=true`, {
        state: 'Virtapradesh',
        district: 'Nirmalgarh',
        block,
        eo_account_id: 1,
      }),
    read,
    until: async (id, isSo) => {
      await expect.poll(async () => isSo(await read(id)), { interval: 100, timeout: CASE_MS }).toBe(true);
      return await read(id);
    },
    jobsAt: async (dagId) =>
      (await harness.runs(dagId)).map(({ conf }) => (conf as { readonly job_id?: unknown }).job_id),
  };
}

function results(world: () => World): void {
  // Concurrent, because each case mostly waits for the next poll of the orchestrator.
  it.concurrent(
    'computes through the callback of the workflow and returns STAC Items',
    async () => {
      const { status, body } = await world().requestLayer('Calls', true);
      expect([status, body.message]).toEqual([200, expect.any(String)]);
      expect(body.stac_items).toHaveLength(1);
      const self = body.stac_items[0]?.links.find(({ rel }) => rel === 'self')?.href ?? '';
      expect((await fetch(self.replace(/^https?:\/\/[^/]+/, world().client().baseUrl))).status).toBe(200);
      const run = await world().read(body.run_id);
      expect(run).toMatchObject({ state: 'success', backend: 'orchestrator', dag_id: 'h_headwater' });
      expect(run.dag_run_id).toMatch(/^manual__/);
      expect(run.item_ids).toEqual([body.stac_items[0]?.id]);
      expect(await world().jobsAt('h_headwater')).toContain(body.run_id);
    },
    CASE_MS,
  );

  it.concurrent(
    'returns the traceback of a failed task, without the token',
    async () => {
      const { status, body } = await world().requestLayer('Failing', true);
      expect([status, body.status, body.code]).toEqual([502, 'failed', 'upstream_failed']);
      expect(body.message).toMatch(/failed in task execute.*RuntimeError: export failed: quota exceeded/);
      expect(body.details).toMatchObject({
        task: 'execute',
        excerpt: expect.stringContaining('Traceback (most recent call last)'),
      });
      const conf = (await world().harness.runs('h_headwater')).find((run) =>
        JSON.stringify(run.conf).includes(body.run_id),
      )?.conf;
      const token = (conf as { readonly run_token?: string } | undefined)?.run_token ?? '';
      expect(token).toMatch(/^[0-9a-f]{64}$/);
      expect(JSON.stringify([body, await world().read(body.run_id)]) + world().yard.output()).not.toContain(token);
    },
    CASE_MS,
  );

  it.concurrent(
    'a run fails if its workflow ends without a result, or fails after its callback',
    async () => {
      const [empty, broken] = await Promise.all([
        world().requestLayer('Empty', true),
        world().requestLayer('Broken', true),
      ]);
      expect([empty.status, empty.body.message]).toEqual([
        502,
        expect.stringMatching(/without a valid STAC output: task execute/),
      ]);
      expect(broken.status).toBe(502);
      expect(broken.body.message).toMatch(/RuntimeError: the verification failed.*are published by run/);
    },
    CASE_MS,
  );
}

function needs(world: () => World): void {
  it(
    'computes the inputs of a run in a separate run at the orchestrator',
    async () => {
      const { year } = REGION_WITH_SCENES;
      const { status, body } = await world().client().post<Body>('/api/v1/lulc_vector/?with_dependencies=true', {
        state: 'Virtapradesh',
        district: 'Nirmalgarh',
        block: SEEN,
        eo_account_id: 1,
        start_year: year,
        end_year: year,
      });
      expect([status, body.after]).toEqual([202, [expect.any(String)]]);
      const run = await world().until(body.run_id, ({ finished_at }) => finished_at !== null);
      expect(run).toMatchObject({ state: 'success', error: null, backend: 'orchestrator' });
      const needed = await world().read(body.after[0] ?? '');
      expect(needed).toMatchObject({ state: 'success', backend: 'orchestrator', parent_run_id: body.run_id });
      expect(run.item_ids).toEqual([expect.stringMatching(/_seen_land_use_land_cover_vector$/)]);
      expect(needed.item_ids).toContainEqual(expect.stringMatching(/_seen_.*raster_2021$/));
      expect(await world().jobsAt('h_headwater')).toEqual(expect.arrayContaining([run.run_id, needed.run_id]));
    },
    CASE_MS,
  );
}

function ends(world: () => World): void {
  it(
    'cancels a run at the orchestrator too',
    async () => {
      const { body } = await world().requestLayer('Slow', false);
      await world().until(body.run_id, (run) => run.dag_run_id !== null);
      await world().client().post(`/api/v1/runs/${body.run_id}/cancel/`, {});
      expect((await world().until(body.run_id, ({ state }) => state === 'failed')).error).toMatchObject({
        code: 'cancelled',
      });
      const there = (await world().harness.runs('h_headwater')).find(({ conf }) =>
        JSON.stringify(conf).includes(body.run_id),
      );
      // If no task had started before the cancellation, Airflow skips the tasks and may end the run with success.
      expect(['failed', 'success']).toContain(there?.state);
    },
    CASE_MS,
  );

  it(
    'continues its runs after a kill, and starts no run twice',
    async () => {
      const { body } = await world().requestLayer('Later', false);
      await world().until(body.run_id, (run) => run.dag_run_id !== null);
      await world().yard.kill();
      await world().restart();
      expect(await world().until(body.run_id, ({ state }) => state !== 'running')).toMatchObject({
        state: 'success',
        error: null,
      });
      expect((await world().jobsAt('h_headwater')).filter((job) => job === body.run_id)).toHaveLength(1);
    },
    CASE_MS,
  );
}

function paused(world: () => World): void {
  it(
    'unpauses a paused workflow, or reports that it is paused',
    async () => {
      await world().harness.pause('h_paused', true);
      await world().restart({ ORCHESTRATOR_DAG_ID: 'h_paused', ORCHESTRATOR_UNPAUSE: 'off' });
      const refused = await world().requestLayer('Calls', true);
      expect([refused.status, refused.body.message]).toEqual([
        502,
        expect.stringMatching(/h_paused is paused.*unpause it/),
      ]);
      await world().restart({ ORCHESTRATOR_DAG_ID: 'h_paused' });
      expect((await world().requestLayer('Calls', true)).status).toBe(200);
    },
    CASE_MS,
  );
}

interface Health {
  readonly parts: Readonly<Record<string, { readonly state: string; readonly detail?: string }>>;
}

function refusals(world: () => World): void {
  const health = async () => (await world().client().get<Health>('/api/health')).body.parts['orchestrator'];

  it(
    'reports an unknown workflow and a wrong password with the remedy',
    async () => {
      await world().restart({ ORCHESTRATOR_DAG_ID: 'h_unknown' });
      await expect
        .poll(health, { timeout: CASE_MS })
        .toMatchObject({ state: 'failing', detail: expect.stringMatching(/h_unknown/) });
      const unknown = await world().requestLayer('Calls', true);
      expect([unknown.status, unknown.body.message]).toEqual([502, expect.stringMatching(/h_unknown/)]);
      await world().restart({ ORCHESTRATOR_PASSWORD: 'not-the-password' });
      const wrong = await world().requestLayer('Calls', true);
      expect([wrong.status, wrong.body.message]).toEqual([
        502,
        expect.stringMatching(/password[^]*basic-authentication backend/),
      ]);
      expect(JSON.stringify(wrong.body) + world().yard.output()).not.toContain('not-the-password');
      await expect.poll(health, { timeout: CASE_MS }).toMatchObject({
        state: 'failing',
        detail: expect.stringMatching(/password/),
      });
      expect(JSON.stringify(await health())).not.toContain('not-the-password');
    },
    CASE_MS,
  );
}
