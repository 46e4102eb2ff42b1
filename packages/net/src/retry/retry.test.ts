import { describe, expect, it } from 'vitest';
import { backoffMs, isTransientStatus, retry } from './retry.ts';

function failing(times: number) {
  const pauses: number[] = [];
  const work = (attempt: number): Promise<number> =>
    attempt <= times ? Promise.reject(new Error(`attempt ${attempt}`)) : Promise.resolve(attempt);
  return { work, pauses, sleep: (ms: number) => Promise.resolve(void pauses.push(ms)) };
}

describe('retry', () => {
  it('calls failed work again, after the pauses that the rules set', async () => {
    const { work, pauses, sleep } = failing(2);
    expect(await retry(work, { sleep, pauseAfter: (_, attempt) => attempt * 10 })).toBe(3);
    expect(pauses).toEqual([10, 20]);
  });

  it('throws a final error without a retry', async () => {
    const { work, pauses, sleep } = failing(3);
    const pauseAfter = (_: unknown, attempt: number): number | undefined => (attempt === 2 ? undefined : 1);
    await expect(retry(work, { sleep, pauseAfter })).rejects.toThrow('attempt 2');
    expect(pauses).toEqual([1]);
  });

  it('throws the reason of its signal when the signal aborts', async () => {
    const { work } = failing(3);
    const stop = new AbortController();
    const sleep = (): Promise<void> => Promise.resolve(stop.abort(new Error('stopped')));
    await expect(retry(work, { sleep, pauseAfter: () => 1, signal: stop.signal })).rejects.toThrow('stopped');
  });
});

it('a pause is between half of a limit and the limit; the limit doubles with each attempt up to the longest pause', () => {
  const pauses = (random: number) =>
    [1, 2, 3, 9].map((attempt) =>
      backoffMs(attempt, { firstPauseMs: 100, longestPauseMs: 5000, random: () => random }),
    );
  expect(pauses(0)).toEqual([50, 100, 200, 2500]);
  expect(pauses(1)).toEqual([100, 200, 400, 5000]);
});

it('isTransientStatus recognises the statuses of transient errors', () => {
  expect([408, 425, 429, 500, 502, 503, 504, 520, 599].filter((status) => !isTransientStatus(status))).toEqual([]);
  expect([200, 301, 400, 401, 403, 404, 409, 410, 501, 505].filter(isTransientStatus)).toEqual([]);
});
