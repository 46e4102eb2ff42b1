import { describe, expect, it } from 'vitest';
import { DomainError } from '../errors.ts';
import { createManualTime } from '../memory/manual-time.ts';
import { retrying } from './retry.ts';

const away = new DomainError('unavailable', 'away');

describe('retrying', () => {
  it('waits 100 ms, then twice as long each time, at most 5 s, until the store is back', async () => {
    const time = createManualTime();
    const start = time.now().getTime();
    const at: number[] = [];
    const work = retrying(
      async () => {
        at.push(time.now().getTime() - start);
        if (at.length < 9) throw away;
        return 'done';
      },
      { timers: time, signal: new AbortController().signal },
    );
    await time.advance(60_000);
    expect(await work).toBe('done');
    expect(at).toEqual([0, 100, 300, 700, 1500, 3100, 6300, 11_300, 16_300]);
  });

  it.each([
    [new DomainError('conflict', 'no'), 1],
    [new Error('who knows'), 5],
    [new DomainError('took_too_long', 'the store ended it'), 5],
  ])('gives up on %s after %d tries', async (failure, expected) => {
    const time = createManualTime();
    let tries = 0;
    const work = retrying(
      () => {
        tries += 1;
        return Promise.reject(failure);
      },
      { timers: time, signal: new AbortController().signal },
    );
    const [outcome] = await Promise.all([Promise.allSettled([work]), time.advance(60_000)]);
    expect(outcome).toEqual([{ status: 'rejected', reason: failure }]);
    expect(tries).toBe(expected);
  });

  it('tries no more once its signal has aborted', async () => {
    const time = createManualTime();
    const stop = new AbortController();
    const told: unknown[] = [];
    const work = retrying(() => Promise.reject(away), {
      timers: time,
      signal: stop.signal,
      onRetry: (error) => told.push(error),
    });
    const outcome = work.catch((thrown: unknown) => thrown);
    await time.advance(50);
    stop.abort();
    expect(await outcome).toBe(away);
    expect(told).toEqual([away]);
  });
});
