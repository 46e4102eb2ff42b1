import { expect, it } from 'vitest';
import { type Bench, rejects } from './bench.test-helper.ts';

/** What is told where a run cannot be had. */
export function refusals(bench: () => Bench): void {
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

  it('says what to do about a wrong password, missing rights, unknown DAGs and runs', async () => {
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

  it('tells import errors', async () => {
    expect(await bench().client.importErrors()).toEqual([
      expect.objectContaining({ stackTrace: expect.stringMatching(/NameError: name 'nonsense' is not defined/) }),
    ]);
  });
}
