import { DomainError } from '@headwater/core';

/** Limits of one account; requests above them get 429. */
export interface UserLimits {
  /** Queued and running runs. Joining a run, repeating a request, or a stored result does not count. */
  readonly openRuns: number;
  /** Event streams of this process, and its responses that wait for a run; above it, such a request is answered at once (202). */
  readonly eventStreams: number;
}

/** A script may queue a district's tehsils and follow each of them, with room for a dashboard. */
export const USER_LIMITS: UserLimits = { openRuns: 20, eventStreams: 30 };

/** Seconds after which a refused reader may retry. */
const RETRY_AFTER_SECONDS = 10;

/** Counts the open responses of each account. */
export interface OpenResponses {
  /** Counts one more until `signal` aborts; false if the account is at its limit. */
  take(userId: number, signal: AbortSignal): boolean;
  /** The error for a response above the limit. */
  refusal(): DomainError;
}

/** Creates the counter; `most` is the limit per account. */
export function createOpenResponses(most: number): OpenResponses {
  const open = new Map<number, number>();
  const release = (userId: number): void => {
    const left = (open.get(userId) ?? 0) - 1;
    if (left > 0) open.set(userId, left);
    else open.delete(userId);
  };
  return {
    take(userId, signal) {
      const count = open.get(userId) ?? 0;
      if (count >= most) return false;
      if (signal.aborted) return true;
      open.set(userId, count + 1);
      signal.addEventListener('abort', () => release(userId), { once: true });
      return true;
    },
    refusal: () => tooManyStreams(most),
  };
}

function tooManyStreams(most: number): DomainError {
  const have = most === 1 ? '1 event stream is' : `${most} event streams are`;
  const text = `${have} open for this account, which is the limit; close one, or poll the run instead.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
