import { DomainError, type Clock } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { ThrottleStore } from '../ports/accounts.ts';

/** How often something may be tried. */
export interface AttemptLimit {
  /** Sliding window, ms; a day at most, for longer nothing is kept. */
  readonly windowMs: number;
  readonly most: number;
  /** What is refused, for the message: `Too many registrations`. */
  readonly problem: string;
}

/** What counting stands on. */
export interface AttemptDeps {
  readonly store: Pick<ThrottleStore, 'failures' | 'fail'>;
  readonly clock: Clock;
}

/** Tries of one key that wait for each other. */
const MAX_WAITING = 64;

/**
 * Counts tries by key in the store that all processes share, whatever comes of them; the returned function takes one, or throws
 * `throttled` with `details.retryAfterSeconds`. Within a process one key is counted once at a time, so that a burst cannot outrun its count.
 */
export function createAttempts({ store, clock }: AttemptDeps, limit: AttemptLimit): (key: string) => Promise<void> {
  const { windowMs, most, problem } = limit;
  const refusal = (retryAfterSeconds: number): DomainError =>
    new DomainError('throttled', `${problem}; try again in ${retryAfterSeconds} s.`, {
      details: { retryAfterSeconds },
    });
  const limiter = createKeyedLimiter({ concurrency: 1, maxWaiting: MAX_WAITING, refuse: () => refusal(1) });
  return (key) =>
    limiter.run(key, async () => {
      const nowMs = clock.now().getTime();
      const { count, oldestMs = nowMs } = await store.failures(key, nowMs - windowMs + 1);
      if (count >= most) throw refusal(Math.max(1, Math.ceil((oldestMs + windowMs - nowMs) / 1000)));
      await store.fail(key, nowMs);
    });
}
