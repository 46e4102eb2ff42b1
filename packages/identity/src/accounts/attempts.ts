import { DomainError, type Clock } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { ThrottleStore } from '../ports/accounts.ts';

/** Limit of attempts within a time window. */
export interface AttemptLimit {
  /** Length of the sliding window, ms; at most a day, because older attempts are not stored. */
  readonly windowMs: number;
  readonly most: number;
  /** Subject of the message of a refusal: `Too many registrations`. */
  readonly problem: string;
}

/** Dependencies of `createAttempts`. */
export interface AttemptDeps {
  readonly store: Pick<ThrottleStore, 'failures' | 'fail'>;
  readonly clock: Clock;
}

/** Maximum number of waiting attempts of one key. */
const MAX_WAITING = 64;

/**
 * Counts attempts, successful or not, by key, in the store that all processes share. The returned function counts one attempt, or throws
 * `throttled` with `details.retryAfterSeconds`. Within a process the attempts of a key are counted one at a time, so that a burst cannot
 * bypass the limit.
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
