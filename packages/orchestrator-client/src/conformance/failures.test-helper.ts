import { expect, it } from 'vitest';
import { type Bench, rejects } from './bench.test-helper.ts';

/** What is told of runs that failed. */
export function failures(bench: () => Bench): void {
  it('tells the task that failed, its exception and an excerpt, and hides the secrets of its conf', async () => {
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

  it('tells why there is no log, whatever the answer is', async () => {
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

  it('reads a chained traceback to its last exception', async () => {
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
