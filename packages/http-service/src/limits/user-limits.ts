import { DomainError } from '@headwater/core';

/** What one account may have open at a time; more is refused with 429. */
export interface UserLimits {
  /** Runs that are queued or running. Joining one, repeating a request, or being answered by a stored result makes none. */
  readonly openRuns: number;
  /** Event streams of this process, and answers of it that wait for a run: beyond it such a request is answered at once (202). */
  readonly eventStreams: number;
}

/** A script may queue a district's tehsils and follow each of them, with room for a dashboard beside it. */
export const USER_LIMITS: UserLimits = { openRuns: 20, eventStreams: 30 };

/** Seconds after which a refused reader may ask again. */
const ASK_AGAIN_SECONDS = 10;

/** Counts the answers of each account that stay open. */
export interface OpenAnswers {
  /** Takes a place of an account until `signal` aborts; false where all of them are taken. */
  take(userId: number, signal: AbortSignal): boolean;
  /** The refusal of one more. */
  refusal(): DomainError;
}

/** Places for open answers, `most` an account. */
export function createOpenAnswers(most: number): OpenAnswers {
  const taken = new Map<number, number>();
  const giveBack = (userId: number): void => {
    const left = (taken.get(userId) ?? 0) - 1;
    if (left > 0) taken.set(userId, left);
    else taken.delete(userId);
  };
  return {
    take(userId, signal) {
      const open = taken.get(userId) ?? 0;
      if (open >= most) return false;
      if (signal.aborted) return true;
      taken.set(userId, open + 1);
      signal.addEventListener('abort', () => giveBack(userId), { once: true });
      return true;
    },
    refusal: () => tooManyStreams(most),
  };
}

function tooManyStreams(most: number): DomainError {
  const have = most === 1 ? '1 event stream is' : `${most} event streams are`;
  const text = `${have} open for this account, which is the most at a time; close one, or look at the run itself instead.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: ASK_AGAIN_SECONDS } });
}
