import { describe, expect, it } from 'vitest';
import { createPipelineRegistry } from './registry.ts';
import {
  STATE,
  broken,
  childrenOf,
  closeGate,
  compareAfter,
  coordinatorOver,
  end,
  go,
  keepWorking,
  made,
  setUpScopes,
  silent,
  start,
  states,
  storeWith,
  tiles,
  world,
} from './scopes.fixture.ts';

describe('a run over a district or a state', () => {
  setUpScopes();

  it('continues in another process if its process dies, and no tehsil is computed twice', async () => {
    let isDead = false;
    const mortal = new Proxy(world.stores.runs, {
      get: (target, name) => {
        const member: unknown = Reflect.get(target, name);
        if (typeof member !== 'function') return member;
        return (...args: unknown[]) =>
          isDead ? Promise.reject(new Error('dead')) : Reflect.apply(member, target, args);
      },
    });
    coordinatorOver(mortal);
    const run = await start(STATE);
    await expect.poll(() => states(run)).toContain('queued');
    isDead = true;
    coordinatorOver();
    keepWorking();
    const ended = await end(run);
    expect(ended).toMatchObject({ state: 'success' });
    expect(ended.token).toBeGreaterThan(1);
    expect(made.toSorted()).toEqual([...new Set(made)].toSorted());
    expect(made).toHaveLength(12);
  });

  it('is taken over by another process while a tehsil is started; the former process starts no further tehsil', async () => {
    const held = Promise.withResolvers<void>();
    let isLate = true;
    const late = storeWith('enqueue', (original) => async (...args: unknown[]) => {
      if (isLate) await held.promise;
      return await original(...args);
    });
    const run = await start();
    const first = coordinatorOver(late, { coordinator: { leaseMs: 60_000, idleMs: 10 } });
    await expect.poll(async () => (await world.stores.runs.get(run.id))?.token).toBe(1);
    await world.stores.runs.release(run.id, 1);
    isLate = false;
    coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    held.resolve();
    await first.coordinator.close();
    keepWorking();
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(await childrenOf(run)).toHaveLength(6);
  });

  it('stays with its process while the inputs of stored results are compared for longer than a lease', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const second = await start();
    const leaseOf = async () => (await world.stores.runs.get(second.id))?.leaseUntil;
    compareAfter(async () => {
      const before = await leaseOf();
      await expect.poll(leaseOf).not.toBe(before);
    });
    const run = await end(second);
    expect(run).toMatchObject({ state: 'success', token: 1, timings: { reused: 6 } });
  });

  it('starts no tehsil after it was cancelled', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const [compared, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    compareAfter(async () => {
      compared.resolve();
      await goOn.promise;
      throw new Error('the inputs differ');
    });
    const run = await start();
    await compared.promise;
    await world.service.cancel(world.owner, run.id);
    goOn.resolve();
    expect(await end(run)).toMatchObject({ state: 'failed', error: { code: 'cancelled' } });
    expect(await childrenOf(run)).toEqual([]);
  });

  it('uses no further stored result if it is paused while the inputs of a stored result are compared', async () => {
    keepWorking();
    coordinatorOver();
    await end(await start());
    const [compared, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    let count = 0;
    compareAfter(async () => {
      count += 1;
      if (count < 3) return;
      compared.resolve();
      await goOn.promise;
    });
    const run = await start();
    await compared.promise;
    await world.service.pause(world.owner, run.id, true);
    goOn.resolve();
    await expect.poll(async () => (await world.stores.runs.get(run.id))?.step).toMatch(/^2 of 6 tehsils, paused/);
    expect([count, (await states(run)).filter((each) => each === 'paused').length]).toEqual([3, 4]);
    await world.service.pause(world.owner, run.id, false);
    expect(await end(run)).toMatchObject({ state: 'success', timings: { reused: 6 } });
    await expect(world.service.pause(world.owner, run.id, true)).rejects.toMatchObject({ code: 'conflict' });
  });

  it('starts no tehsil while it is paused, even if a run of another request that computes one of its tehsils is cancelled', async () => {
    const gate = closeGate();
    const names = { state: 'Bihar', district: 'West', year: 2020 };
    const other = await world.service.start(world.owner, tiles, { ...names, tehsil: 'T00' });
    keepWorking();
    coordinatorOver();
    const run = await start();
    await expect
      .poll(async () => (await world.stores.runs.parts(run.id)).map(({ runId }) => runId))
      .toContain(other.run.id);
    await world.service.pause(world.owner, run.id, true);
    await world.service.cancel(world.owner, other.run.id);
    gate.resolve();
    const isQuiet = async () => (await states(run)).filter((each) => each !== 'success' && each !== 'paused');
    await expect.poll(isQuiet).toEqual([]);
    expect(made).not.toContain('T00');
    await world.service.pause(world.owner, run.id, false);
    expect(await end(run)).toMatchObject({ state: 'success' });
    expect(made).toContain('T00');
  });

  it('does not end if a failed tehsil is retried at the same moment', async () => {
    broken.add('T01');
    let isRetried = false;
    const raced = storeWith('endParts', (original) => async (...args: unknown[]) => {
      broken.clear();
      if (!isRetried) isRetried = (await world.stores.runs.retryParts(String(args[0]))) === 1;
      return await original(...args);
    });
    keepWorking();
    coordinatorOver(raced);
    const run = await end(await start());
    expect([run.state, isRetried, await states(run)]).toEqual([
      'success',
      true,
      Array.from({ length: 6 }, () => 'success'),
    ]);
  });

  it('computes all other tehsils if a source does not answer for one tehsil, which fails after its last try', async () => {
    const run = await start();
    silent.add('T00');
    keepWorking();
    coordinatorOver(world.stores.runs, { coordinator: { leaseMs: 600, idleMs: 1 } });
    const ended = await end(run);
    expect(ended.error?.message).toMatch(/^1 of 6 tehsils failed: T00 \(West\)\. All others are published\./);
    expect(made).toHaveLength(5);
    const messages = (await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 })).map(
      ({ message }) => message,
    );
    expect(messages).toContain('T00, West: not started, retried later: The source does not answer.');
    expect(messages).toContain('T00, West: failed: The source does not answer.');
  });

  it('has a log line for each tehsil that ended while no process coordinated the run', async () => {
    const run = await start();
    const first = coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    await first.coordinator.close();
    keepWorking();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'success')).toHaveLength(4);
    coordinatorOver();
    await end(run);
    const log = await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 });
    expect(log.filter(({ message }) => message.endsWith(': success'))).toHaveLength(6);
  });

  it('writes each log line once, also if the store fails between the lines', async () => {
    const run = await start();
    const first = coordinatorOver();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'queued')).toHaveLength(4);
    await first.coordinator.close();
    keepWorking();
    await expect.poll(async () => (await states(run)).filter((each) => each === 'success')).toHaveLength(4);
    let lines = 0;
    const failing = storeWith('appendEvent', (original) => async (...args: unknown[]) => {
      if (JSON.stringify(args[1]).includes(': success')) lines += 1;
      if (lines === 3) {
        lines += 1;
        throw new Error('the database restarts');
      }
      return await original(...args);
    });
    coordinatorOver(failing);
    await end(run);
    const log = await world.service.log(world.owner, run.id, { afterSeq: 0, limit: 99 });
    const written = log.map(({ message }) => message).filter((message) => message.endsWith(': success'));
    expect([written.length, new Set(written).size, lines > 4]).toEqual([6, 6, true]);
  });

  it('does not report published tehsils if every tehsil failed', async () => {
    ['T00', 'T01', 'T02', 'T10', 'T11', 'T12'].forEach((name) => broken.add(name));
    go();
    expect((await end(await start())).error?.message).toMatch(
      /^6 of 6 tehsils failed: [^.]*\. Remove the causes, which the report lists, then retry/,
    );
  });

  it('is coordinated only by a process with the pipeline and the backend of its tehsils', async () => {
    const run = await start();
    let turns = 0;
    const counted = storeWith('claim', (original) => (...args: unknown[]) => {
      turns += 1;
      return original(...args);
    });
    coordinatorOver(counted, { pipelines: createPipelineRegistry([]) });
    await expect.poll(() => turns).toBeGreaterThan(2);
    turns = 0;
    coordinatorOver(counted, { backend: 'orchestrator' });
    await expect.poll(() => turns).toBeGreaterThan(4);
    const claim = { workerId: 'w', leaseMs: 60_000, pipelines: ['scope_run'], maxAttempts: 3 };
    expect(await world.stores.runs.get(run.id)).toMatchObject({ state: 'queued', token: 0 });
    expect(await world.stores.runs.claim({ ...claim, queues: ['scopes-local-tiles'] })).toMatchObject({ id: run.id });
  });
});
