import { DomainError } from '@headwater/core';

/** Limits of one account. A request above a limit gets 429; for waiting calls see `eventStreams`. */
export interface UserLimits {
  /** Maximum number of queued and running runs. A request that starts no new run is not refused. */
  readonly openRuns: number;
  /**
   * Maximum number of event streams and waiting calls (requests that wait for the end of a run) in this process. Above
   * the limit, a stream gets 429 and a call gets 202.
   */
  readonly eventStreams: number;
}

/** Default limits: enough for a script that queues all tehsils of a district, and an open dashboard. */
export const USER_LIMITS: UserLimits = { openRuns: 20, eventStreams: 30 };

const RETRY_AFTER_SECONDS = 10;

/** Counts the open responses of each account. */
export interface OpenResponses {
  /** Counts a response until `signal` aborts. Returns false if the account has reached its limit. */
  take(userId: number, signal: AbortSignal): boolean;
  /** Error for a response above the limit. */
  refusal(): DomainError;
}

/** Counts open responses by a key, such as an account or an address. */
export interface OpenCounts<K> {
  /** Counts a response until `signal` aborts. Returns false at a limit. Without a key, only the total limit applies. */
  take(key: K | undefined, signal: AbortSignal): boolean;
}

/** Limits of open responses. */
export interface OpenLimits {
  readonly inAll: number;
  readonly perKey: number;
}

/** Creates a counter of open responses, with a limit in all and a limit for each key. */
export function createOpenCounts<K>({ inAll, perKey }: OpenLimits): OpenCounts<K> {
  const open = new Map<K | undefined, number>();
  let total = 0;
  const add = (key: K | undefined, step: number): void => {
    total += step;
    const count = (open.get(key) ?? 0) + step;
    if (count > 0) open.set(key, count);
    else open.delete(key);
  };
  return {
    take(key, signal) {
      if (total >= inAll || (key !== undefined && (open.get(key) ?? 0) >= perKey)) return false;
      if (signal.aborted) return true;
      add(key, 1);
      signal.addEventListener('abort', () => add(key, -1), { once: true });
      return true;
    },
  };
}

/** Creates the counter of open responses per account; `most` is the limit of each account. */
export function createOpenResponses(most: number): OpenResponses {
  const counts = createOpenCounts<number>({ inAll: Number.POSITIVE_INFINITY, perKey: most });
  return { take: counts.take, refusal: () => tooManyStreams(most) };
}

function tooManyStreams(most: number): DomainError {
  const have = most === 1 ? '1 event stream or waiting call is' : `${most} event streams or waiting calls are`;
  const text = `${have} open for this account, which is the limit; close one, or poll the run instead.`;
  return new DomainError('throttled', text, { details: { retryAfterSeconds: RETRY_AFTER_SECONDS } });
}
