import { DomainError } from '../errors.ts';
import type { PasswordHasher } from '../ports/accounts.ts';
import { createLanes } from './lanes.ts';

/** Hashes at a time: a hasher that uses libuv's pool of four threads leaves two of them to file reads. */
const WIDTH = 2;
/** Hashes that may wait; at a fifth of a second each the last waits for about six seconds. */
const MAX_WAITING = 64;
const RETRY_AFTER_SECONDS = 5;

/** The hasher in a lane of its own, so that a crowd of sign-ins takes no more than its share. Beyond it: `unavailable`. */
export function inHashLane(hasher: PasswordHasher): PasswordHasher {
  const lanes = createLanes({ width: WIDTH, maxWaiting: MAX_WAITING, refuse: overloaded });
  return {
    hash: (password) => lanes.run('', () => hasher.hash(password)),
    verify: (password, hash) => lanes.run('', () => hasher.verify(password, hash)),
  };
}

function overloaded(): DomainError {
  return new DomainError('unavailable', `Too many sign-ins at once; try again in ${RETRY_AFTER_SECONDS} s.`, {
    details: { retryAfterSeconds: RETRY_AFTER_SECONDS },
  });
}
