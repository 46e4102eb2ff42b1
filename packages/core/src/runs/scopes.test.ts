import { describe, expect, it } from 'vitest';
import { principal } from './bench.fixture.ts';
import {
  AREA,
  STATE,
  broken,
  closeGate,
  end,
  go,
  made,
  request,
  setUpScopes,
  silent,
  start,
  states,
  tiles,
  world,
} from './scopes.fixture.ts';

describe('a run over a district or a state', () => {
  setUpScopes();

  it('computes every tehsil once, and ends when the last tehsil has ended', async () => {
    go();
    const run = await end(await start(STATE));
    expect(run).toMatchObject({ state: 'success', itemIds: [], timings: { tehsils: 12, reused: 0 }, progress: 1 });
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted());
    expect(made).toHaveLength(12);
    const { runs } = await world.stores.runs.list({ parentId: run.id, limit: 99, offset: 0 });
    expect(new Set(runs.map(({ params }) => params['tehsilId'])).size).toBe(12);
    const messages = (await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 })).map(
      ({ message }) => message,
    );
    expect(messages).toContain('T00, West: success');
  });

  it('counts as one open run of its owner, and an identical request joins it', async () => {
    closeGate();
    go();
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('running');
    expect((await start(STATE)).id).toBe(run.id);
    const year = (each: number) =>
      world.service.start(
        world.owner,
        tiles,
        request.parse({ state: 'Bihar', district: 'West', tehsil: 'T00', year: each }),
      );
    await year(2021);
    await year(2022);
    await expect(year(2023)).rejects.toMatchObject({ code: 'throttled' });
  });

  it('refuses a year that is wrong for every tehsil, an unknown place, and a pipeline that does not compute by tehsil', async () => {
    await expect(start(AREA, {}, 2030)).rejects.toMatchObject({ code: 'validation', fields: { year: [{}] } });
    const other = { pipeline: tiles, request: { year: 2020 }, options: {} };
    const { service, owner, pipelines } = world;
    await expect(service.startScope(owner, { ...other, area: { ...STATE, state: 'Bihr' } })).rejects.toMatchObject({
      code: 'not_found',
    });
    const lulc = pipelines.get('lulc') ?? tiles;
    await expect(service.startScope(owner, { ...other, pipeline: lulc, area: STATE })).rejects.toMatchObject({
      code: 'validation',
    });
  });

  it('names the failed tehsils; a retry computes only these', async () => {
    broken.add('T01');
    go();
    const failed = await end(await start());
    expect(failed).toMatchObject({ state: 'failed', error: { code: 'dependency_failed' } });
    expect(failed.error?.message).toMatch(/^1 of 6 tehsils failed: T01 \(West\)\. All others are published\./);
    expect((await states(failed)).toSorted()).toEqual(['failed', ...Array.from({ length: 5 }, () => 'success')]);
    broken.clear();
    made.length = 0;
    const again = await world.service.retryFailed(world.owner, failed.id);
    expect(again.id).not.toBe(failed.id);
    expect(await end(again)).toMatchObject({ state: 'success', timings: { tehsils: 6, reused: 5 } });
    expect(made).toEqual(['T01']);
    await expect(world.service.retryFailed(world.owner, again.id)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('computes its failed tehsils again after a retry, even if its other tehsils have not ended yet', async () => {
    const run = await start();
    silent.add('T00');
    broken.add('T02');
    go();
    await expect.poll(() => states(run)).toContain('failed');
    expect((await world.stores.runs.get(run.id))?.state).toBe('running');
    broken.clear();
    silent.clear();
    expect((await world.service.retryFailed(world.owner, run.id)).id).toBe(run.id);
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made.filter((name) => name === 'T02')).toHaveLength(2);
  });

  it('can be paused and resumed: during the pause, running tehsils are completed, and no further tehsil starts', async () => {
    const gate = closeGate();
    go();
    const run = await start(STATE);
    await expect.poll(async () => (await states(run)).filter((each) => each === 'running')).toHaveLength(2);
    await world.service.pause(world.owner, run.id, true);
    gate.resolve();
    await expect
      .poll(async () => (await states(run)).filter((each) => each !== 'success' && each !== 'paused'))
      .toEqual([]);
    const before = made.length;
    expect(before).toBeLessThan(12);
    expect((await world.stores.runs.get(run.id))?.step).toMatch(/paused/);
    await world.service.pause(world.owner, run.id, false);
    await end(run);
    expect(made).toHaveLength(12);
  });

  it('is cancelled with all of its tehsils', async () => {
    closeGate();
    go();
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('running');
    await world.service.cancel(world.owner, run.id);
    expect(await end(run)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    const open = async (): Promise<number> => {
      const { runs } = await world.stores.runs.list({ parentId: run.id, limit: 99, offset: 0 });
      return runs.filter(({ state }) => state === 'queued' || state === 'running').length;
    };
    await expect.poll(open).toBe(0);
    expect(made).toEqual([]);
  });

  it('uses stored results and runs of other requests; if such a run is cancelled, it computes the tehsil itself', async () => {
    const gate = closeGate();
    const names = { state: 'Bihar', district: 'West', year: 2020 };
    const other = await world.service.start(world.owner, tiles, { ...names, tehsil: 'T00' });
    go();
    const run = await start();
    await expect
      .poll(async () => (await world.stores.runs.parts(run.id)).map(({ runId }) => runId))
      .toContain(other.run.id);
    await world.service.cancel(world.owner, other.run.id);
    gate.resolve();
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made.toSorted()).toEqual(['T00', 'T01', 'T02', 'T10', 'T11', 'T12']);
    made.length = 0;
    const again = await end(await start());
    expect(again).toMatchObject({ state: 'success', timings: { reused: 6 } });
    expect(made).toEqual([]);
  });

  it('queues few tehsils at a time, so that runs of others and further runs of its owner are claimed soon', async () => {
    world.service.coordinator.start();
    const run = await start(STATE);
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    const names = { state: 'Bihar', district: 'East', tehsil: 'T20', year: 2019 };
    const mine = await world.service.start(world.owner, tiles, names);
    const other = await world.service.start(principal(2), tiles, names);
    const ids: string[] = [];
    const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['tiles'], maxAttempts: 3, queue: 'nrm' };
    while (!ids.includes(mine.run.id)) {
      const claimed = await world.stores.runs.claim(claim);
      if (claimed === undefined) break;
      ids.push(claimed.id);
      await world.stores.runs.publish(claimed.id, claimed.token, { items: [], layers: [], timings: {} });
    }
    expect(ids.indexOf(other.run.id)).toBeLessThanOrEqual(1);
    expect(ids.indexOf(mine.run.id)).toBe(5);
  });
});
