import { DomainError } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { PasswordHasher } from '../ports/accounts.ts';

/** Hashes at a time: a hasher that uses libuv's pool leaves the rest of it to file reads. */
const CONCURRENCY = 2;
/** Hashes that may wait; at a fifth of a second each a line of this length is through in about six seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** A hasher that many want at once. */
export interface RankedHasher extends PasswordHasher {
  /** As the hasher's own; whoever has the lowest rank is next (default: 0). */
  hash(password: string, rank?: number): Promise<string>;
  verify(password: string, hash: string, rank?: number): Promise<boolean>;
}

/** After every sign-in: the rank of what a stranger asks for who has no account. Where too many wait, it is refused first. */
export const ANONYMOUS_RANK = Number.POSITIVE_INFINITY;

/** The hasher in a lane of its own, so that a crowd of sign-ins takes no more than its share. Beyond it: `unavailable`. */
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
