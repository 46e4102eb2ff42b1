import { expect, it } from 'vitest';
import type { RunChange, RunHandle, WatcherOptions } from '../index.ts';
import { type Bench, CALLBACK_ANSWER, rejects } from './bench.test-helper.ts';

async function endsOf(
  { client }: Bench,
  runs: readonly RunHandle[],
  options: WatcherOptions = {},
): Promise<Readonly<Record<string, RunChange['state']>>> {
  const watcher = client.watcher(options);
  const finished: RunChange[] = [];
  await new Promise<void>((settle, reject) => {
    watcher.on('finished', (change) => finished.push(change) === runs.length && settle());
    watcher.on('problem', reject);
    for (const run of runs) watcher.add(run);
    watcher.start();
  });
  await watcher.stop();
  expect(watcher.size).toBe(0);
  return Object.fromEntries(finished.map(({ runId, state }) => [runId, state]));
}

/** Tests of the three required calls: trigger a run, read a run, unpause a DAG. */
export function threeCalls(bench: () => Bench): void {
  it('runs a DAG until it succeeds, with the three calls only', async () => {
    const run = await bench().client.trigger('t_ok', { url: bench().callback.url, job_id: 'three-1' });
    expect(await run.wait()).toMatchObject({ dagId: 't_ok', runId: run.runId, state: 'success' });
    expect(bench().callback.bodies).toContainEqual({ conf: { url: bench().callback.url, job_id: 'three-1' } });
  });

  it('reports a failed run with the reason, or with the remark that its log is not available', async () => {
    const run = await bench().client.trigger('t_fail', { job_id: 'three-2' });
    const { details } = await rejects(run.wait(), 'run_failed');
    expect(details.reason).toMatch(/^RuntimeError: export failed|^the log is not available from this orchestrator/);
  });

  it('watches runs until they end', async () => {
    const runs = await Promise.all([bench().client.trigger('t_fail', {}), bench().client.trigger('t_paused', {})]);
    expect(await endsOf(bench(), runs)).toEqual({ [runs[0].runId]: 'failed', [runs[1].runId]: 'success' });
  });

  it('throws an error with a code for an unknown DAG, an unknown run, a wrong password and a wrong token', async () => {
    await rejects(bench().client.trigger('t_unknown', {}), 'unknown_dag');
    await rejects(bench().client.run('t_ok', 'manual__none').state(), 'unknown_run');
    for (const credentials of [{ username: 'admin', password: 'wrong' }, { token: 'wrong' }]) {
      const wrong = bench().clientWith({ credentials });
      const { message } = await rejects(wrong.trigger('t_ok', {}), 'unauthorized');
      expect(message).toMatch(/password or token is wrong[^]*basic-authentication backend is not enabled/);
    }
  });
}

/** Tests of optional calls for runs. */
export function runs(bench: () => Bench): void {
  it('returns version and health without credentials', async () => {
    const anonymous = bench().clientWith({ credentials: {} });
    expect(await anonymous.version()).toMatch(bench().target.api === 'v1' ? /^2\./ : /^3\./);
    expect(await anonymous.health()).toMatchObject({ metadatabase: 'healthy', scheduler: 'healthy' });
  });

  it('runs a DAG whose task calls back, and reads its return value', async () => {
    const run = await bench().client.trigger('t_ok', { url: bench().callback.url, job_id: 'ok-1' });
    expect(await run.wait()).toMatchObject({ state: 'success', conf: { job_id: 'ok-1' } });
    expect(bench().callback.bodies).toContainEqual({ conf: { url: bench().callback.url, job_id: 'ok-1' } });
    expect(await run.result({ taskId: 'execute_A' })).toEqual(CALLBACK_ANSWER);
    const other = bench().clientWith().run(run.toJSON().dagId, run.toJSON().runId);
    expect(await other.state()).toBe('success');
    await rejects(run.result({ taskId: 'execute_A', key: 'nothing' }), 'not_found');
  });

  it('cancels a run once, and does not change a run that has ended', async () => {
    const run = await bench().client.trigger('t_slow', { s: 100 });
    for await (const event of run.watch()) {
      if (event.type === 'state' && event.state === 'running') break;
    }
    expect(await run.cancel()).toMatchObject({ cancelled: true, run: { state: 'failed' } });
    // A busy scheduler may overwrite the end of the run with an older state; the test then cancels again.
    await expect.poll(() => run.cancel()).toMatchObject({ cancelled: false, run: { state: 'failed' } });
    const ended = await bench().client.trigger('t_paused', {});
    await ended.wait();
    expect(await ended.cancel()).toMatchObject({ cancelled: false, run: { state: 'success' } });
  });

  it('stops waiting at a deadline or signal while the run continues', async () => {
    const run = await bench().client.trigger('t_slow', { s: 100 });
    await rejects(run.wait({ deadline: new Date() }), 'deadline');
    await rejects(run.wait({ signal: AbortSignal.abort() }), 'aborted');
    expect(['queued', 'running']).toContain(await run.state());
    await run.cancel();
  });

  it('returns an existing run with the same id and conf, and refuses another conf', async () => {
    const runId = `own:${Date.now()}+1`;
    const first = await bench().client.trigger('t_slow', { s: 90, job_id: 'o-1' }, { runId });
    const again = await bench().client.trigger('t_slow', { job_id: 'o-1', s: 90 }, { runId });
    expect(again.toJSON()).toEqual(first.toJSON());
    await rejects(bench().client.trigger('t_slow', { s: 91 }, { runId }), 'conflict');
    await first.cancel();
  });

  it('watches several runs of several DAGs with list requests', async () => {
    const runs = await Promise.all([
      bench().client.trigger('t_fail', {}),
      bench().client.trigger('t_paused', {}),
      bench().client.trigger('t_chain', {}),
    ]);
    expect(await endsOf(bench(), runs, { sweepEveryMs: 0 })).toEqual({
      [runs[0].runId]: 'failed',
      [runs[1].runId]: 'success',
      [runs[2].runId]: 'failed',
    });
  });
}
