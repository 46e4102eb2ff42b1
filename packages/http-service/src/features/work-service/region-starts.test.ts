import { DomainError, type StartedRun } from '@headwater/core';
import { describe, expect, it } from 'vitest';
import { RUN } from '../runs/run.fixture.ts';
import { createRegionStarts } from './region-starts.ts';

const STARTED: StartedRun = { run: RUN, joined: false, reused: false };

function heldStarts() {
  const held = Promise.withResolvers<void>();
  let [now, most, count] = [0, 0, 0];
  return {
    release: held.resolve,
    numbers: () => ({ now, most, count }),
    start: async (): Promise<StartedRun> => {
      [now, count] = [now + 1, count + 1];
      most = Math.max(most, now);
      await held.promise;
      now -= 1;
      return STARTED;
    },
  };
}

describe('starts of runs over regions', () => {
  it('run two at a time, at most one for each caller', async () => {
    const { start, numbers, release } = heldStarts();
    const starts = createRegionStarts(20);
    const calls = ['a', 'a', 'a', 'b', 'c'].map((caller, at) => starts.run({ caller, request: `${at}` }, start));
    await expect.poll(numbers).toEqual({ now: 2, most: 2, count: 2 });
    release();
    expect(await Promise.all(calls)).toEqual(calls.map(() => STARTED));
    expect(numbers()).toEqual({ now: 0, most: 2, count: 5 });
  });

  it('are shared by identical calls, also of different callers', async () => {
    const { start, numbers, release } = heldStarts();
    const starts = createRegionStarts(20);
    const same = Array.from({ length: 500 }, () => starts.run({ caller: 'a', request: 'x' }, start));
    const others = [starts.run({ caller: 'a', request: 'y' }, start), starts.run({ caller: 'b', request: 'x' }, start)];
    release();
    const started = await Promise.all(same);
    expect(started.filter(({ joined }) => !joined)).toHaveLength(1);
    await Promise.all(others);
    expect(numbers().count).toBe(2);
    // The shared start has ended, so this call starts a run.
    expect(await starts.run({ caller: 'a', request: 'x' }, start)).toEqual(STARTED);
    expect(numbers().count).toBe(3);
  });

  it('are refused if too many calls of the same caller wait; other callers are not affected', async () => {
    const { start, release } = heldStarts();
    const starts = createRegionStarts(2);
    const calls = Array.from({ length: 6 }, (_, at) => starts.run({ caller: 'a', request: `${at}` }, start));
    const other = starts.run({ caller: 'b', request: 'other' }, start);
    release();
    const outcomes = await Promise.allSettled(calls);
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    await expect(calls.at(-1)).rejects.toMatchObject({ code: 'throttled', details: { retryAfterSeconds: 10 } });
    expect(await other).toEqual(STARTED);
  });

  it('are tried again for an identical call if the first caller is refused', async () => {
    const starts = createRegionStarts(2);
    const refused = starts.run({ caller: 'a', request: 'x' }, () =>
      Promise.reject(new DomainError('throttled', 'full')),
    );
    const others = ['b', 'c'].map((caller) => starts.run({ caller, request: 'x' }, async () => STARTED));
    await expect(refused).rejects.toThrow('full');
    expect(await Promise.all(others)).toEqual([STARTED, STARTED]);
  });

  it('fail with the error of their start, and can be repeated', async () => {
    const starts = createRegionStarts(2);
    const fails = () => Promise.reject(new DomainError('throttled', 'full'));
    const calls = [1, 2].map(() => starts.run({ caller: 'a', request: 'x' }, fails));
    for (const outcome of await Promise.allSettled(calls)) expect(outcome.status).toBe('rejected');
    expect(await starts.run({ caller: 'a', request: 'x' }, async () => STARTED)).toEqual(STARTED);
  });

  it('do not delay the search for the runs of callbacks, which is never refused', async () => {
    const { start, release } = heldStarts();
    const starts = createRegionStarts(1);
    const calls = [0, 1].map((at) => starts.run({ caller: `${at}`, request: 'x' }, start));
    expect(await Promise.all(Array.from({ length: 100 }, (_, at) => starts.find(async () => at)))).toHaveLength(100);
    release();
    await Promise.all(calls);
  });
});
