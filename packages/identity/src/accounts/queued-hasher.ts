import { DomainError } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';
import type { PasswordHasher } from '../ports/accounts.ts';
import { normalizedPassword } from './password-rules.ts';

/**
 * Maximum number of concurrent hashes. The number is smaller than libuv's thread pool, so that threads stay free for file
 * reads.
 */
const CONCURRENCY = 2;
/** Maximum number of waiting hashes. A hash takes 0.2 s, so a full queue takes about six seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** A hasher whose waiting calls run in the order of their ranks: the lowest rank first. */
export interface RankedHasher extends PasswordHasher {
  /** As in `PasswordHasher`. The waiting call with the lowest rank runs next (default rank: 0). */
  hash(password: string, rank?: number): Promise<string>;
  verify(password: string, hash: string, rank?: number): Promise<boolean>;
  isOutdated(hash: string): boolean;
}

/**
 * Rank of calls for clients without an account. Such calls run after all waiting sign-ins, and are refused first if too many calls
 * wait.
 */
export const ANONYMOUS_RANK = Number.POSITIVE_INFINITY;

/**
 * Limits the concurrency of a hasher, so that many simultaneous sign-ins cannot use all threads. Its methods reject
 * with `unavailable` if the queue is full.
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
    isOutdated: (hash) => hasher.isOutdated?.(hash) === true,
  };
}

/**
 * True for the text that an account without a password has instead of a hash. As in Django, the text begins with `!` and no
 * password matches it.
 */
export function isUnusable(hash: string): boolean {
  return hash.startsWith('!');
}

/** A password as it was typed, and the hash with which it is compared. */
interface ToVerify {
  readonly password: string;
  readonly hash: string;
  readonly rank: number;
}

/**
 * True if a password matches a hash. For a hash of this service the password is normalised (NFKC) first; for a hash of
 * another system it is not.
 */
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
