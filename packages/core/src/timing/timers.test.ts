import { describe, expect, it } from 'vitest';
import { ownTurn, systemTimers } from './timers.ts';

describe('systemTimers', () => {
  it('resolves after the time', async () => {
    const before = performance.now();
    await systemTimers.sleep(20);
    // Node's timers may fire a millisecond early.
    expect(performance.now() - before).toBeGreaterThanOrEqual(18);
  });

  it('resolves as soon as its signal aborts, or immediately if it has already aborted', async () => {
    const stop = new AbortController();
    const before = performance.now();
    const sleeping = systemTimers.sleep(60_000, stop.signal);
    stop.abort();
    await sleeping;
    await systemTimers.sleep(60_000, stop.signal);
    expect(performance.now() - before).toBeLessThan(10_000);
  });
});

describe('ownTurn', () => {
  it('lets other work of the event loop run between two pieces of long work', async () => {
    const order: string[] = [];
    const other = (): void => void order.push('other work');
    const piece = async (name: string): Promise<void> => {
      await ownTurn();
      order.push(name);
      setImmediate(other);
    };
    await Promise.all([piece('first'), piece('second'), piece('third')]);
    expect(order).toEqual(['first', 'other work', 'second', 'other work', 'third']);
  });
});
