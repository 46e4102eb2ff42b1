import { describe, expect, it } from 'vitest';
import { createManualTime } from '../testing/manual-time.ts';
import { createKeyedLimiter, type KeyedLimiterOptions } from './keyed-limiter.ts';

const refuse = (): Error => new Error('full');

describe('createKeyedLimiter', () => {
  it('limits the concurrency of each key separately, and runs work in the order of arrival', async () => {
    const limiter = createKeyedLimiter({ concurrency: 2, maxWaiting: 9, refuse });
    const begun: string[] = [];
    const gates = new Map<string, () => void>();
    const work = (key: string, name: string) =>
      limiter.run(key, async () => {
        begun.push(name);
        await new Promise<void>((resolve) => gates.set(name, resolve));
        return name;
      });
    const all = ['a1', 'a2', 'a3', 'a4'].map((name) => work('a', name));
    const other = work('b', 'b1');
    expect(begun).toEqual(['a1', 'a2', 'b1']);
    gates.get('a2')?.();
    expect(await all[1]).toBe('a2');
    await expect.poll(() => begun, { interval: 1 }).toEqual(['a1', 'a2', 'b1', 'a3']);
    for (const name of ['a1', 'a3']) gates.get(name)?.();
    await Promise.all([all[0], all[2]]);
    gates.get('a4')?.();
    gates.get('b1')?.();
    expect(await Promise.all([...all, other])).toEqual(['a1', 'a2', 'a3', 'a4', 'b1']);
  });

  it('refuses work while too much work waits, and accepts work again after some of the work has ended', async () => {
    const limiter = createKeyedLimiter({ concurrency: 1, maxWaiting: 1, refuse });
    const gate = Promise.withResolvers<void>();
    const [first, second] = [limiter.run('a', () => gate.promise), limiter.run('a', async () => 'second')];
    await expect(limiter.run('a', async () => 'third')).rejects.toThrow('full');
    expect(await limiter.run('b', async () => 'other')).toBe('other');
    gate.resolve();
    await first;
    expect(await second).toBe('second');
    expect(await limiter.run('a', async () => 'third')).toBe('third');
  });

  it('continues after failed work', async () => {
    const limiter = createKeyedLimiter({ concurrency: 1, maxWaiting: 9, refuse });
    await expect(limiter.run('a', () => Promise.reject(new Error('bad')))).rejects.toThrow('bad');
    expect(await limiter.run('a', async () => 'good')).toBe('good');
  });

  /** `order` lists the tasks in the order in which they ran or were refused. */
  function busyLimiter(options: Partial<KeyedLimiterOptions>) {
    const gate = Promise.withResolvers<void>();
    const limiter = createKeyedLimiter({ concurrency: 1, maxWaiting: 2, refuse, ...options });
    const order: string[] = [];
    const first = limiter.run('a', () => gate.promise);
    const enter = (name: string, rank: number): Promise<unknown> =>
      limiter.run('a', async () => order.push(name), rank).catch(() => order.push(`${name} refused`));
    return { order, enter, open: () => (gate.resolve(), first) };
  }

  it('runs the lowest rank first, and refuses a task of the highest rank if too many wait', async () => {
    const { order, enter, open } = busyLimiter({});
    const all = [enter('stranger', 5), enter('other stranger', 5), enter('friend', 0), enter('acquaintance', 1)];
    await open();
    await Promise.all(all);
    expect(order).toEqual(['other stranger refused', 'stranger refused', 'friend', 'acquaintance']);
  });

  it('chooses at random among tasks of one rank if `random` is set', async () => {
    const { order, enter, open } = busyLimiter({ random: () => 0.99 });
    const all = ['first', 'second', 'third'].map((name) => enter(name, 1));
    await open();
    await Promise.all(all);
    expect(order).toEqual(['third refused', 'second', 'first']);
    const lucky = busyLimiter({ random: () => 0 });
    const others = ['first', 'second', 'third'].map((name) => lucky.enter(name, 1));
    await lucky.open();
    await Promise.all(others);
    expect(lucky.order).toEqual(['first refused', 'second', 'third']);
  });

  it('refuses work that waited for longer than `maxWait`', async () => {
    const timers = createManualTime();
    const { order, enter, open } = busyLimiter({ maxWait: { ms: 1000, timers } });
    const late = enter('tired', 1);
    await timers.advance(500);
    const fresh = enter('fresh', 1);
    await timers.advance(500);
    await late;
    expect(order).toEqual(['tired refused']);
    await open();
    await fresh;
    expect([order, timers.sleeping]).toEqual([['tired refused', 'fresh'], 0]);
  });
});
