import { describe, expect, it } from 'vitest';
import { createLimiter } from './limiter.ts';

const NEW = 20;

/**
 * Starts work that frees the only slot during a wait (returning work), and `NEW` pieces of new work. Returns the
 * order in which all work ends.
 */
async function order(): Promise<readonly string[]> {
  const limiter = createLimiter(1);
  const ended: string[] = [];
  let back = (): void => undefined;
  const wait = new Promise<void>((settle) => (back = settle));
  const work = limiter.run(async () => {
    await limiter.withoutSlot(() => wait);
    ended.push('returned');
  });
  const others = Array.from({ length: NEW }, (_, each) =>
    limiter.run(async () => {
      if (each === 0) back();
      // In these microtasks, the returning work requests the slot.
      for (let tick = 0; tick < 5; tick++) await Promise.resolve();
      ended.push('new');
    }),
  );
  await Promise.all([work, ...others]);
  return ended;
}

describe('a slot', () => {
  it('soon goes to work that returns from its wait, even if much new work is queued', async () => {
    const ended = await order();
    expect(ended).toHaveLength(NEW + 1);
    expect(ended.indexOf('returned')).toBeGreaterThan(0);
    expect(ended.indexOf('returned')).toBeLessThan(5);
  });

  it('goes first to new work that was queued before other work ended its wait', async () => {
    const limiter = createLimiter(1);
    const ended: string[] = [];
    const returning = ['a', 'b'].map((name) =>
      limiter.run(async () => {
        await limiter.withoutSlot(async () => {});
        ended.push(name);
      }),
    );
    const added = limiter.run(async () => void ended.push('new'));
    await Promise.all([...returning, added]);
    expect(ended[0]).toBe('new');
  });

  it('goes to aborted returning work as early as to new work', async () => {
    const limiter = createLimiter(1);
    const ended: string[] = [];
    const stop = new AbortController();
    const wait = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const returns = (name: string, signal?: AbortSignal) =>
      limiter.run(async () => {
        await limiter.withoutSlot(() => wait.promise, signal);
        ended.push(name);
      });
    const all = [returns('a'), returns('b'), returns('aborted', stop.signal)];
    const holds = limiter.run(async () => {
      wait.resolve();
      await gate.promise;
    });
    for (let tick = 0; tick < 20; tick++) await Promise.resolve();
    stop.abort();
    gate.resolve();
    await Promise.all([...all, holds]);
    // Aborted work counts as new work, so it precedes returning work, except at every fourth free slot.
    expect(ended.indexOf('aborted')).toBeLessThan(ended.indexOf('b'));
  });
});
