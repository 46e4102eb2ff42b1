import { describe, expect, it } from 'vitest';
import { createOpenCounts } from './user-limits.ts';

describe('open responses', () => {
  const never = (): AbortSignal => new AbortController().signal;

  it('have a limit per key and a total limit; a response no longer counts after its signal has aborted', () => {
    const counts = createOpenCounts<string>({ inAll: 5, perKey: 2 });
    const first = new AbortController();
    expect([counts.take('a', first.signal), counts.take('a', never()), counts.take('a', never())]).toEqual([
      true,
      true,
      false,
    ]);
    expect([counts.take('b', never()), counts.take('b', never()), counts.take('c', never())]).toEqual([
      true,
      true,
      true,
    ]);
    expect([counts.take('d', never()), counts.take(undefined, never())]).toEqual([false, false]);
    first.abort();
    expect([counts.take('b', never()), counts.take('a', never()), counts.take('d', never())]).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('without a key have only the total limit; a response that has ended is not counted', () => {
    const counts = createOpenCounts<string>({ inAll: 3, perKey: 1 });
    for (let at = 0; at < 9; at += 1) expect(counts.take('a', AbortSignal.abort())).toBe(true);
    const taken = Array.from({ length: 4 }, () => counts.take(undefined, never()));
    expect(taken).toEqual([true, true, true, false]);
  });
});
