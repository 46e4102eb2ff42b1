import { describe, expect, it } from 'vitest';
import { isOrchestratorError } from '../errors.ts';
import { bench, DAG, MINUTE_MS, watchedRuns } from './bench.test-helper.ts';

describe('a watcher', () => {
  it('finds the ends and stalls of runs while one run cannot be read, and its end as soon as it can be read', async () => {
    const world = bench({ sweepEveryMs: MINUTE_MS, stalledAfterMs: 5 * MINUTE_MS });
    const { fake, watcher, finished, problems, clock } = world;
    const [unreadable, lost] = watchedRuns(world, 2);
    const queued = watchedRuns(world, 1, 'queued')[0];
    if (unreadable === undefined || lost === undefined || queued === undefined) throw new Error('no runs');
    const stalled: string[] = [];
    watcher.on('stalled', ({ runId }) => stalled.push(runId));
    await watcher.poll();
    const path = `/api/v1/dags/${DAG.id}/dagRuns/${unreadable.runId}`;
    fake.fault = (request) =>
      request.path === path ? { kind: 'status', status: 500, body: '<html>Ooops' } : undefined;
    fake.world.setState(unreadable, 'success');
    fake.world.setState(lost, 'success');
    // An old time keeps the run out of lists of changes, so only a sweep finds its end.
    lost.updatedAt -= 60 * MINUTE_MS;
    for (const end = clock.now() + 10 * MINUTE_MS; clock.now() < end; await clock.sleep(4000)) await watcher.poll();
    expect(finished.map(({ runId }) => runId)).toEqual([lost.runId]);
    expect(stalled).toEqual([queued.runId]);
    expect(problems.every((error) => isOrchestratorError(error, 'server_error'))).toBe(true);
    fake.fault = () => undefined;
    await watcher.poll();
    expect(finished.map(({ runId }) => runId)).toEqual([lost.runId, unreadable.runId]);
  });

  it('diagnoses a run that stays queued although a dozen earlier runs cannot be read', async () => {
    const world = bench({ stalledAfterMs: 5 * MINUTE_MS });
    const { fake, watcher, clock } = world;
    const unreadable = watchedRuns(world, 12, 'queued');
    const last = watchedRuns(world, 1, 'queued')[0];
    const stalled: string[] = [];
    watcher.on('stalled', ({ runId }) => stalled.push(runId));
    await watcher.poll();
    fake.fault = ({ path }) =>
      unreadable.some(({ runId }) => path.endsWith(runId))
        ? { kind: 'status', status: 403, body: '{"detail":null}' }
        : undefined;
    await clock.sleep(6 * MINUTE_MS);
    await watcher.poll();
    await watcher.poll();
    expect(stalled).toEqual([last?.runId]);
  });

  it.each(['2.10.3', '3.0.6'])('reports the runs of a DAG that Airflow %s no longer knows', async (version) => {
    const world = bench({ version });
    const { fake, watcher, problems, clock } = world;
    const runs = watchedRuns(world, 3);
    const gone: string[] = [];
    watcher.on('gone', ({ runId }) => gone.push(runId));
    await watcher.poll();
    fake.world.dags.delete(DAG.id);
    for (const end = clock.now() + 5 * MINUTE_MS; clock.now() < end; await clock.sleep(4000)) await watcher.poll();
    expect(gone.toSorted()).toEqual(runs.map(({ runId }) => runId).toSorted());
    expect(problems).toEqual([]);
  });
});
