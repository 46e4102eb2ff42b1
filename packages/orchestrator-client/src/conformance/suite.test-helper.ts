import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Bench, openBench, rejects, type Target } from './bench.test-helper.ts';
import { protocol } from './protocol.test-helper.ts';
import { runs, threeCalls } from './runs.test-helper.ts';

function failures(bench: () => Bench): void {
  it('reports the failed task, its exception and an excerpt, and hides the secrets of its conf', async () => {
    const run = await bench().client.trigger('t_fail', { job_id: 'f-1', run_token: 'a-secret-token' });
    const { details } = await rejects(run.wait(), 'run_failed');
    expect(details).toMatchObject({
      task: { taskId: 'execute_A', tryNumber: 1 },
      reason: 'RuntimeError: export failed: quota exceeded',
      logProblem: null,
    });
    expect(details.excerpt).toMatch(
      /^.*Task failed with exception\nTraceback[^]*RuntimeError: export failed: quota exceeded$/,
    );
    expect(Object.fromEntries(details.failed.map(({ taskId, state }) => [taskId, state]))).toEqual({
      execute_A: 'failed',
      verify_B: 'upstream_failed',
    });
    const log = await run.taskLog({ taskId: 'execute_A', tryNumber: 1 });
    expect(log.text).toContain('it\'s "quoted" é \\ line');
    expect((await run.logs()).excerpt).not.toContain('a-secret-token');
  });

  it('reports the reason for the missing log of a task that never started', async () => {
    const run = await bench().client.trigger('t_fail', { job_id: 'f-2' });
    await rejects(run.wait(), 'run_failed');
    expect(await run.taskLog({ taskId: 'verify_B', tryNumber: 1 })).toMatchObject({
      text: '',
      problem: expect.stringMatching(/never reached a worker|never started/),
    });
    expect(await run.taskLog({ taskId: 'verify_B', tryNumber: 0 })).toMatchObject({
      text: '',
      problem: expect.stringMatching(/never started/),
    });
  });

  it('reads a chained traceback down to its last exception', async () => {
    const run = await bench().client.trigger('t_chain', {});
    expect((await rejects(run.wait(), 'run_failed')).details.reason).toBe('ValueError: no region given');
  });

  it('finds the failed instance of a mapped task', async () => {
    const run = await bench().client.trigger('t_map', {});
    const { details } = await rejects(run.wait(), 'run_failed');
    expect(details).toMatchObject({
      task: { taskId: 'm', mapIndex: 1 },
      reason: 'ZeroDivisionError: integer division or modulo by zero',
    });
    expect((await run.taskLog({ taskId: 'm', mapIndex: 0, tryNumber: 1 })).problem).toBeNull();
  });
}

function refusals(bench: () => Bench): void {
  it('refuses, diagnoses or unpauses a paused DAG', async () => {
    await bench().client.pause('t_paused');
    await rejects(bench().clientWith({ unpause: 'error' }).trigger('t_paused', {}), 'paused');
    const waiting = await bench()
      .clientWith({ unpause: 'never', stalledAfterMs: 1 })
      .trigger('t_paused', { job_id: 'p-1' });
    const { details, message } = await rejects(waiting.wait(), 'stalled');
    expect(details).toMatchObject({ isPaused: true, scheduler: 'healthy' });
    expect(message).toMatch(/is paused: unpause it/);
    const run = await bench().client.trigger('t_paused', { job_id: 'p-2' });
    expect((await bench().client.dag('t_paused')).isPaused).toBe(false);
    expect((await run.wait()).state).toBe('success');
    expect((await bench().client.run(waiting.dagId, waiting.runId).wait()).state).toBe('success');
  });

  it('returns a remedy for a wrong password, missing rights, unknown DAGs and runs', async () => {
    const { username, password } = bench().target;
    const wrong = bench().clientWith({ credentials: { username, password: 'wrong' } });
    expect((await rejects(wrong.dag('t_ok'), 'unauthorized')).message).toMatch(
      /password[^]*basic-authentication backend/,
    );
    const viewer = bench().clientWith({ credentials: { username: 'viewer', password } });
    await rejects(viewer.trigger('t_ok', {}), 'forbidden');
    await rejects(bench().client.trigger('t_unknown', {}), 'unknown_dag');
    await rejects(bench().client.unpause('t_unknown'), 'unknown_dag');
    await rejects(bench().clientWith({ unpause: 'never' }).trigger('t_unknown', {}), 'unknown_dag');
    await rejects(bench().client.run('t_ok', 'manual__none').state(), 'unknown_run');
    await rejects(
      bench()
        .clientWith({ baseUrl: `${bench().target.url}/nowhere` })
        .version(),
      'not_json',
    );
  });

  it('lists import errors', async () => {
    expect(await bench().client.importErrors()).toEqual([
      expect.objectContaining({ stackTrace: expect.stringMatching(/NameError: name 'nonsense' is not defined/) }),
    ]);
  });
}

const START_MS = 240_000;

/** The suite for real orchestrators and the fake. */
export function conformance(name: string, start: () => Promise<Target>): void {
  describe(name, () => {
    let opened: Bench;
    const bench = (): Bench => opened;
    beforeAll(async () => {
      opened = await openBench(start);
    }, START_MS);
    afterAll(() => opened.close());
    threeCalls(bench);
    runs(bench);
    failures(bench);
    refusals(bench);
    protocol(bench);
  });
}

/** The suite for an orchestrator with only the three required calls. */
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
