import { DomainError } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { PasswordHasher } from '../ports/accounts.ts';
import { normalizedPassword } from './password-rules.ts';

/**
 * Maximum number of concurrent hashes. It is below the size of libuv's thread pool, so that file reads are not blocked.
 */
const CONCURRENCY = 2;
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** Hasher that runs the waiting call with the lowest rank first. */
export interface RankedHasher extends PasswordHasher {
  /** `rank`: default 0. */
  hash(password: string, rank?: number): Promise<string>;
  verify(password: string, hash: string, rank?: number): Promise<boolean>;
  isOutdated(hash: string): boolean;
}

/** Rank of clients without an account: after all sign-ins, and refused first. */
export const ANONYMOUS_RANK = Number.POSITIVE_INFINITY;

/** Limits the concurrency of a hasher. Rejects with `unavailable` if the queue is full. */
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
    isOutdated: (hash) => hasher.isOutdated?.(hash) === true,
  };
}

/** True for the hash of an account without a password: as in Django, this hash begins with `!`. */
export function isUnusable(hash: string): boolean {
  return hash.startsWith('!');
}

interface ToVerify {
  readonly password: string;
  readonly hash: string;
  readonly rank: number;
}

/** True if a password matches a hash. For a hash of this service, the password is first normalised (NFKC). */
export async function verifyPassword(hasher: RankedHasher, { password, hash, rank }: ToVerify): Promise<boolean> {
  if (isUnusable(hash)) return false;
  return await hasher.verify(hasher.isOutdated(hash) ? password : normalizedPassword(password), hash, rank);
}

function overloaded(): DomainError {
  return new DomainError(
    'unavailable',
    `Too many simultaneous sign-ins and registrations; try again in ${RETRY_AFTER_SECONDS} s.`,
    {
      details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
    },
  );
}
