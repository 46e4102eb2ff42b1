import { describe, expect, it } from 'vitest';
import { createLanes } from './lanes.ts';

const NEW = 20;

/** One lane, and work that wants it back after a wait while there is more new work than it can ever do. Returns the order of ends. */
async function order(): Promise<readonly string[]> {
  const lanes = createLanes(1);
  const ended: string[] = [];
  let back = (): void => undefined;
  const wait = new Promise<void>((settle) => (back = settle));
  const work = lanes.run(async () => {
    await lanes.withoutLane(() => wait);
    ended.push('returned');
  });
  const others = Array.from({ length: NEW }, (_, each) =>
    lanes.run(async () => {
      if (each === 0) back();
      // Turns in which the work that waited asks for the lane.
      for (let turn = 0; turn < 5; turn++) await Promise.resolve();
      ended.push('new');
    }),
  );
  await Promise.all([work, ...others]);
  return ended;
}

describe('a lane', () => {
  it('goes to work that returns from a wait though new work stands before it', async () => {
    const ended = await order();
    expect(ended).toHaveLength(NEW + 1);
    expect(ended.indexOf('returned')).toBeGreaterThan(0);
    expect(ended.indexOf('returned')).toBeLessThan(5);
  });

  it('goes to new work first', async () => {
    const lanes = createLanes(1);
    const ended: string[] = [];
    const returning = ['a', 'b'].map((name) =>
      lanes.run(async () => {
        await lanes.withoutLane(async () => {});
        ended.push(name);
      }),
    );
    const added = lanes.run(async () => void ended.push('new'));
    await Promise.all([...returning, added]);
    expect(ended[0]).toBe('new');
  });

  it('goes in the order of new work to work whose signal has aborted', async () => {
    const lanes = createLanes(1);
    const ended: string[] = [];
    const stop = new AbortController();
    const wait = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const returns = (name: string, signal?: AbortSignal) =>
      lanes.run(async () => {
        await lanes.withoutLane(() => wait.promise, signal);
        ended.push(name);
      });
    const all = [returns('a'), returns('b'), returns('aborted', stop.signal)];
    const holds = lanes.run(async () => {
      wait.resolve();
      await gate.promise;
    });
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    stop.abort();
    gate.resolve();
    await Promise.all([...all, holds]);
    // The first lane may be the one of every four that goes to work that returns.
    expect(ended.indexOf('aborted')).toBeLessThan(ended.indexOf('b'));
  });
});
