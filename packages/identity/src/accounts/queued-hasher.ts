import { DomainError } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { PasswordHasher } from '../ports/accounts.ts';

/** Maximum number of concurrent hashes; the other threads of libuv's pool remain free for file reads. */
const CONCURRENCY = 2;
/** Maximum number of waiting hashes. A hash takes 0.2 s, so a full queue takes about six seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** A hasher whose calls wait in order of rank. */
export interface RankedHasher extends PasswordHasher {
  /** As `PasswordHasher`; the call with the lowest rank runs next (default: 0). */
  hash(password: string, rank?: number): Promise<string>;
  verify(password: string, hash: string, rank?: number): Promise<boolean>;
}

/** Rank of calls for clients without an account: they run after every sign-in, and are refused first if too many wait. */
export const ANONYMOUS_RANK = Number.POSITIVE_INFINITY;

/**
 * Wraps a hasher in a concurrency limit, so that a burst of sign-ins cannot use all threads. Rejects as `unavailable` if the queue is full.
 */
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
