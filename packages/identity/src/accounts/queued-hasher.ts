import { DomainError } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { PasswordHasher } from '../ports/accounts.ts';

/** Concurrent hashes: a hasher on libuv's thread pool leaves the other threads to file reads. */
const CONCURRENCY = 2;
/** Maximum waiting hashes; at a fifth of a second each, such a queue takes about six seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** A hasher whose calls wait in order of rank. */
export interface RankedHasher extends PasswordHasher {
  /** As `PasswordHasher`; the call with the lowest rank is next (default: 0). */
  hash(password: string, rank?: number): Promise<string>;
  verify(password: string, hash: string, rank?: number): Promise<boolean>;
}

/** Rank of calls for clients without an account: after every sign-in, and refused first if too many wait. */
export const ANONYMOUS_RANK = Number.POSITIVE_INFINITY;

/** Wraps a hasher in a concurrency limit, so that a burst of sign-ins cannot use all threads. Beyond the queue: `unavailable`. */
export function queuedHasher(hasher: PasswordHasher): RankedHasher {
  const limiter = createKeyedLimiter({
    concurrency: CONCURRENCY,
    maxWaiting: MAX_WAITING,
    refuse: overloaded,
    random: Math.random,
  });
  return {
    hash: (password, rank) => limiter.run('', () => hasher.hash(password), rank),
    verify: (password, hash, rank) => limiter.run('', () => hasher.verify(password, hash), rank),
  };
}

function overloaded(): DomainError {
  return new DomainError(
    'unavailable',
    `Too many sign-ins and registrations at once; try again in ${RETRY_AFTER_SECONDS} s.`,
    {
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
    },
  );
}
