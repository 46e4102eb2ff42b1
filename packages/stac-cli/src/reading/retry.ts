import { SYSTEM_TOOLS } from '@headwater/net';
import { backoffMs, retry } from '@headwater/net/retry';
import { TransientError, ReadError } from '../errors.ts';

/** Number of tries and their pauses. */
export interface RetrySettings {
  /** Maximum number of requests of an address. */
  readonly tries: number;
  /**
   * Upper limit of the random pause before the second try, ms. The limit doubles for each later try. It does not apply
   * if the server sends `Retry-After`.
   */
  readonly firstPauseMs: number;
  /**
   * Longest accepted `Retry-After`, and longest pause without this header, ms. After a longer `Retry-After`, there is
   * no retry.
   */
  readonly longestPauseMs: number;
}

export const RETRY_SETTINGS: RetrySettings = { tries: 4, firstPauseMs: 1000, longestPauseMs: 60_000 };

/** After this number of failed addresses in a row, there are no retries. */
const MOST_FAILED_ADDRESSES = 3;

/** Settings, abort signal and wait callback of retries. */
export interface RetryOptions {
  readonly settings?: Partial<RetrySettings> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called before each pause. */
  readonly onWait?: ((note: string) => void) | undefined;
}

/** Runs work with retries after a `TransientError`. Rejects immediately after an abort. */
export type Retry = <T>(work: () => Promise<T>) => Promise<T>;

/** Creates a retry function. All calls share one count of failed addresses. */
export function createRetry({ settings: changes = {}, signal, onWait = () => {} }: RetryOptions): Retry {
  const settings = { ...RETRY_SETTINGS, ...changes };
  let failedAddresses = 0;
  const pauseAfter = (error: unknown, tried: number): number | undefined => {
    signal?.throwIfAborted();
    if (!(error instanceof TransientError)) return undefined;
    if (tried >= settings.tries) failedAddresses += 1;
    if (tried >= settings.tries || failedAddresses >= MOST_FAILED_ADDRESSES) throw lastOf(error, tried);
    const ms = pauseOf(error, tried, settings);
    onWait(`${error.message}; next try in ${String(Math.ceil(ms / 1000))} s`);
    return ms;
  };
  return async (work) => {
    const done = await retry(work, { pauseAfter, sleep: SYSTEM_TOOLS.sleep, signal });
    failedAddresses = 0;
    return done;
  };
}

function lastOf({ message }: TransientError, tried: number): ReadError {
  return new ReadError(tried === 1 ? message : `${message} (tried ${String(tried)} times)`);
}

/** Pause in ms with a random part. Throws `ReadError` if the server requests too long a pause. */
function pauseOf(error: TransientError, tried: number, { firstPauseMs, longestPauseMs }: RetrySettings): number {
  const { message, retryAfterMs: requestedMs } = error;
  if (requestedMs !== undefined && requestedMs > longestPauseMs)
    throw new ReadError(
      `${message} and asks for a pause of ${String(Math.ceil(requestedMs / 1000))} s, which is too long; try again later`,
    );
  const { random } = SYSTEM_TOOLS;
  return requestedMs === undefined
    ? backoffMs(tried, { firstPauseMs, longestPauseMs, random })
    : requestedMs * (1 + random() / 4);
}
