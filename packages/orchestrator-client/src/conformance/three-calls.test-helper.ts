import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { RunChange } from '../index.ts';
import { type Bench, openBench, rejects, type Target } from './bench.test-helper.ts';

/** Tests of the three calls that every orchestrator offers: trigger a run, read a run, unpause a DAG. */
export function threeCalls(bench: () => Bench): void {
  it('runs a DAG until it succeeds, with the three calls alone', async () => {
    const run = await bench().client.trigger('t_ok', { url: bench().callback.url, job_id: 'three-1' });
    expect(await run.wait()).toMatchObject({ dagId: 't_ok', runId: run.runId, state: 'success' });
    expect(bench().callback.bodies).toContainEqual({ conf: { url: bench().callback.url, job_id: 'three-1' } });
  });

  it('reports a failed run with its reason, or that its log is not available', async () => {
    const run = await bench().client.trigger('t_fail', { job_id: 'three-2' });
    const { details } = await rejects(run.wait(), 'run_failed');
    expect(details.reason).toMatch(/^RuntimeError: export failed|^the log is not available from this orchestrator/);
  });

  it('watches runs until they end', async () => {
    const runs = await Promise.all([bench().client.trigger('t_fail', {}), bench().client.trigger('t_paused', {})]);
    const watcher = bench().client.watcher();
    const finished: RunChange[] = [];
    await new Promise<void>((settle, reject) => {
      watcher.on('finished', (change) => finished.push(change) === runs.length && settle());
      watcher.on('problem', reject);
      for (const run of runs) watcher.add(run);
      watcher.start();
    });
    await watcher.stop();
    const byRun = Object.fromEntries(finished.map(({ runId, state }) => [runId, state]));
    expect(byRun).toEqual({ [runs[0].runId]: 'failed', [runs[1].runId]: 'success' });
  });

  it('returns a remedy for unknown DAGs and runs, and for refused credentials of both kinds', async () => {
    await rejects(bench().client.trigger('t_unknown', {}), 'unknown_dag');
    await rejects(bench().client.run('t_ok', 'manual__none').state(), 'unknown_run');
    for (const credentials of [{ username: 'admin', password: 'wrong' }, { token: 'wrong' }]) {
      const wrong = bench().clientWith({ credentials });
      const { message } = await rejects(wrong.trigger('t_ok', {}), 'unauthorized');
      expect(message).toMatch(/password or token is wrong[^]*basic-authentication backend is not enabled/);
    }
  });
}

/** The suite for an orchestrator that offers only the three calls. */
export function threeCallConformance(name: string, start: () => Promise<Target>): void {
  describe(name, () => {
    let opened: Bench;
    beforeAll(async () => {
      opened = await openBench(start);
    });
    afterAll(() => opened.close());
    threeCalls(() => opened);
  });
}
