import { describe, expect, it } from 'vitest';
import { isOrchestratorError } from '../errors.ts';
import { bench, DAG, given, MINUTE_MS } from './bench.test-helper.ts';

describe('a watcher', () => {
  it('finds ends and stalls though one run can never be asked for', async () => {
    const world = bench({ sweepEveryMs: MINUTE_MS, stalledAfterMs: 5 * MINUTE_MS });
    const { fake, watcher, told, problems, clock } = world;
    const [poisoned, lost] = given(world, 2);
    const queued = given(world, 1, 'queued')[0];
    if (poisoned === undefined || lost === undefined || queued === undefined) throw new Error('no runs');
    const stalled: string[] = [];
    watcher.on('stalled', ({ runId }) => stalled.push(runId));
    await watcher.look();
    const path = `/api/v1/dags/${DAG.id}/dagRuns/${poisoned.runId}`;
    fake.fault = (request) =>
      request.path === path ? { kind: 'status', status: 500, body: '<html>Ooops' } : undefined;
    fake.world.setState(poisoned, 'success');
    fake.world.setState(lost, 'success');
    // Only a sweep shows this end.
    lost.updatedAt -= 60 * MINUTE_MS;
    for (const end = clock.now() + 10 * MINUTE_MS; clock.now() < end; await clock.sleep(4000)) await watcher.look();
    expect(told.map(({ runId }) => runId)).toEqual([lost.runId]);
    expect(stalled).toEqual([queued.runId]);
    expect(problems.every((error) => isOrchestratorError(error, 'server_error'))).toBe(true);
    fake.fault = () => undefined;
    await watcher.look();
    expect(told.map(({ runId }) => runId)).toEqual([lost.runId, poisoned.runId]);
  });

  it('diagnoses a run that stays queued though a dozen before it cannot be asked for', async () => {
    const world = bench({ stalledAfterMs: 5 * MINUTE_MS });
    const { fake, watcher, clock } = world;
    const poisoned = given(world, 12, 'queued');
    const last = given(world, 1, 'queued')[0];
    const stalled: string[] = [];
    watcher.on('stalled', ({ runId }) => stalled.push(runId));
    await watcher.look();
    fake.fault = ({ path }) =>
      poisoned.some(({ runId }) => path.endsWith(runId))
        ? { kind: 'status', status: 403, body: '{"detail":null}' }
        : undefined;
    await clock.sleep(6 * MINUTE_MS);
    await watcher.look();
    await watcher.look();
    expect(stalled).toEqual([last?.runId]);
  });

  it.each(['2.10.3', '3.0.6'])('tells the runs of a DAG that Airflow %s does not know any more', async (version) => {
    const world = bench({ version });
    const { fake, watcher, problems, clock } = world;
    const runs = given(world, 3);
    const gone: string[] = [];
    watcher.on('gone', ({ runId }) => gone.push(runId));
    await watcher.look();
    fake.world.dags.delete(DAG.id);
    for (const end = clock.now() + 5 * MINUTE_MS; clock.now() < end; await clock.sleep(4000)) await watcher.look();
    expect(gone.toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted());
    expect(problems).toEqual([]);
  });
});
