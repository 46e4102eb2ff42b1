import { newRunId } from '@headwater/core/runs';
import { afterEach, describe, expect, it } from 'vitest';
import { type Bench, bench, DAG_ID, item } from './bench.fixture.ts';

let world: Bench;
afterEach(() => world.stop());

async function startBoth(): Promise<{ readonly id: string; readonly neededId: string }> {
  const now = new Date(world.clock.now());
  const [id, neededId] = [newRunId(now), newRunId(now)];
  const shared = { pipeline: 'test', ownerId: 1, backend: 'orchestrator' } as const;
  const params = { tehsilId: 7, start_year: 2022, end_year: 2023 };
  const needed = { ...shared, id: neededId, parentId: id, params: { ...params, n: 1 }, fingerprint: 'needed' };
  const run = { ...shared, id, params: { ...params, n: 2 }, fingerprint: 'needy', after: [neededId], awaits: ['one'] };
  await world.runs.enqueue(run, { dependencies: [needed] });
  return { id, neededId };
}

describe('a run that waits for a run that it needs', () => {
  it('ends with its own result, not with the result of the run that it waited for', async () => {
    world = bench();
    const { id, neededId } = await startBoth();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['item_2'] });
    expect(await world.runs.get(neededId)).toMatchObject({ state: 'success', itemIds: ['item_1'] });
    expect(world.fake.runsOf(DAG_ID)).toHaveLength(2);
    expect(world.answered).toEqual([200, 200]);
  });

  it('ends with its own result, also if tasks return the results instead of calling back', async () => {
    const run = ({ conf }: { readonly conf: Readonly<Record<string, unknown>> }): unknown =>
      item(`of_${String(conf['n'])}`);
    world = bench({ dags: [{ id: DAG_ID, tasks: [{ id: 'execute', run }] }] });
    const { id } = await startBoth();
    world.server().start();
    expect(await world.ended(id)).toMatchObject({ state: 'success', itemIds: ['of_2'], publishedBy: null });
  });
});

describe('a run that a callback started', () => {
  it('fails if the run that called back fails at the orchestrator', async () => {
    const begun = Promise.withResolvers<string>();
    const fails = async ({ conf }: { readonly conf: Readonly<Record<string, unknown>> }): Promise<never> => {
      const callback = { jobId: String(conf['job_id']), runToken: String(conf['run_token']) };
      begun.resolve((await world.callbacks.begin(callback))?.id ?? '');
      throw Object.assign(new Error('the task ran out of memory'), { name: 'RuntimeError' });
    };
    world = bench({ dags: [{ id: DAG_ID, tasks: [{ id: 'execute', run: fails }] }] });
    const id = await world.start();
    world.server().start();
    expect((await world.ended(id)).error?.message).toMatch(/the task ran out of memory/);
    expect(await world.runs.get(await begun.promise)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
  });

  it('is cancelled with the run that called back, if the run that waits for both is cancelled', async () => {
    world = bench({ dags: [{ id: DAG_ID, tasks: [{ id: 'execute', run: () => 1 }], isManual: true }] });
    const { id, neededId } = await startBoth();
    world.server().start();
    await expect.poll(async () => (await world.runs.get(neededId))?.dagRunId).toMatch(/^manual__/);
    const [remote] = world.fake.runsOf(DAG_ID);
    const runToken = String(remote?.conf['run_token']);
    const computing = await world.callbacks.begin({ jobId: neededId, runToken });
    await world.runs.requestCancel(id);
    expect((await world.ended(neededId)).error?.code).toBe('cancelled');
    expect(await world.runs.get(computing?.id ?? '')).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
  });
});
