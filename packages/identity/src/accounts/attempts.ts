import { DomainError, type Clock } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { ThrottleStore } from '../ports/accounts.ts';

/** Maximum number of attempts within a sliding window. */
export interface AttemptLimit {
  /** Length of the window, ms; at most one day, because older attempts are not stored. */
  readonly windowMs: number;
  readonly most: number;
  /** First words of a refusal, such as `Too many registrations`. */
  readonly problem: string;
}

/** Dependencies of `createAttempts`. */
export interface AttemptDeps {
  readonly store: Pick<ThrottleStore, 'failures' | 'fail'>;
  readonly clock: Clock;
}

const MAX_WAITING = 64;

/**
 * Creates a function that counts one attempt of a key, or throws `throttled` with `details.retryAfterSeconds`. All
 * processes share the count; within a process, attempts of a key are counted one at a time.
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
