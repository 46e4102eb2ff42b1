import { expect, it } from 'vitest';
import type { Client } from './client.ts';
import { DISTRICT, SLOW_DISTRICT, type OrchestratorHarness } from './orchestrated-server.fixture.ts';

interface Body {
  readonly run_id: string;
  readonly state: string;
  readonly item_ids: readonly string[];
  readonly error: { readonly code: string; readonly message: string } | null;
}
interface Report {
  readonly status: string;
  readonly paused: boolean;
  readonly counts: Readonly<Record<string, number>>;
  readonly reused: number;
  readonly results: readonly Part[];
}
interface Part {
  readonly block: string;
  readonly state: string;
  readonly run_id: string | null;
  readonly error: { readonly code: string } | null;
}
interface World {
  readonly harness: OrchestratorHarness;
  readonly client: () => Client;
  readonly jobsAt: (dagId: string) => Promise<readonly unknown[]>;
}

/** Test cases of a run over a district, with one workflow run for each tehsil. */
export function districtCases(world: () => World, caseMs: number): void {
  const start = async (district: string): Promise<string> => {
    const names = { state: 'Virtapradesh', district, eo_account_id: 1, scope: 'district' };
    const { status, body } = await world().client().post<Body>('/api/v1/generate_mws_layer/', names);
    expect(status).toBe(202);
    return body.run_id;
  };
  const act = async (id: string, what: string): Promise<{ readonly status: number; readonly body: Body }> =>
    await world().client().post<Body>(`/api/v1/runs/${id}/${what}/`, {});
  const read = async (id: string): Promise<Body> => (await world().client().get<Body>(`/api/v1/runs/${id}/`)).body;
  const reportOf = async (id: string): Promise<Report> =>
    (await world().client().get<Report>(`/api/v1/runs/${id}/tehsils/`)).body;
  const until = async (id: string, isSo: (report: Report) => boolean): Promise<Report> => {
    await expect.poll(async () => isSo(await reportOf(id)), { interval: 100, timeout: caseMs }).toBe(true);
    return await reportOf(id);
  };
  const partOf = ({ results }: Report, block: string): Part | undefined => results.find((each) => each.block === block);

  it(
    'computes a district with one workflow run per tehsil, publishes each result immediately, and retries only the failed tehsil',
    async () => {
      const id = await start(DISTRICT.name);
      const first = await until(id, ({ counts }) => (counts['success'] ?? 0) > 0);
      const done = first.results.find(({ state }) => state === 'success');
      expect((await read(done?.run_id ?? '')).item_ids).toHaveLength(1);
      const report = await until(id, ({ status }) => status === 'failed');
      expect(report.counts).toMatchObject({ success: DISTRICT.blocks.length - 1, failed: 1 });
      expect(partOf(report, 'Failing')?.error).toMatchObject({ code: 'upstream_failed' });
      expect((await read(id)).error?.message).toMatch(/^1 of 4 tehsils failed: Failing \(Tarai\)\. All others are pub/);
      const jobs = await world().jobsAt('h_headwater');
      const parts = report.results.map(({ run_id: each }) => each);
      expect(parts.map((each) => jobs.filter((job) => job === each).length)).toEqual([1, 1, 1, 1]);
      const retry = await act(id, 'retry');
      expect(retry.status).toBe(202);
      const again = await until(retry.body.run_id, ({ status }) => status === 'failed');
      expect([again.reused, again.counts['failed']]).toEqual([3, 1]);
      expect(await world().jobsAt('h_headwater')).toHaveLength(jobs.length + 1);
    },
    caseMs,
  );

  it(
    'starts no further workflow run of a district while its run is paused; cancelling the run cancels its workflow runs',
    async () => {
      const id = await start(SLOW_DISTRICT.name);
      const slowRun = async (): Promise<string> => partOf(await reportOf(id), 'Slow')?.run_id ?? '';
      await until(id, (report) => partOf(report, 'Slow')?.state === 'running');
      expect((await act(id, 'pause')).status).toBe(200);
      const paused = await until(
        id,
        ({ counts }) => (counts['waiting'] ?? 0) + (counts['queued'] ?? 0) === 0 && counts['running'] === 1,
      );
      const slow = await slowRun();
      expect([paused.paused, await world().jobsAt('h_headwater')]).toEqual([true, expect.arrayContaining([slow])]);
      await act(id, 'resume');
      const resumed = await until(id, ({ counts }) => counts['success'] === SLOW_DISTRICT.blocks.length - 1);
      expect(resumed).toMatchObject({ paused: false, counts: { running: 1 } });
      await act(id, 'cancel');
      await until(id, ({ status }) => status === 'failed');
      expect((await read(id)).error).toMatchObject({ code: 'cancelled' });
      const stateOf = async (): Promise<string | undefined> =>
        (await world().harness.runs('h_headwater')).find(({ conf }) => JSON.stringify(conf).includes(slow))?.state;
      await expect.poll(stateOf, { interval: 200, timeout: caseMs }).toMatch(/^(failed|success)$/);
    },
    caseMs,
  );
}
