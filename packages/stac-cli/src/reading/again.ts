import { SYSTEM_TOOLS } from '@headwater/net';
import { backoffMs, retry } from '@headwater/net/retry';
import { PassingError, ReadError } from './read-error.ts';

/** How often and how patiently a server is asked again that has too much to do, or lost the connection. */
export interface Patience {
  /** Requests of one address at most. */
  readonly tries: number;
  /** Milliseconds before the second; before each one after it twice as many, where the server does not say how long to wait. */
  readonly firstPauseMs: number;
  /** A server that asks for a longer pause is not waited for. */
  readonly longestPauseMs: number;
}

export const PATIENCE: Patience = { tries: 4, firstPauseMs: 1000, longestPauseMs: 60_000 };

/** Addresses in a row that did not answer after all their tries; the server is then down, and every further one is asked once. */
const MOST_IN_VAIN = 3;

/** What goes with the asking. */
export interface AgainOptions {
  readonly patience?: Partial<Patience> | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told in words before each pause. */
  readonly onWait?: ((note: string) => void) | undefined;
}

/** Does a piece of work, and does it again where it fails in a way that may pass (`PassingError`). Rejects at once when it is stopped. */
export type Again = <T>(work: () => Promise<T>) => Promise<T>;

/** Asks again within a patience that all its work shares. */
export function createAgain({ patience = {}, signal, onWait = () => {} }: AgainOptions): Again {
  const settings = { ...PATIENCE, ...patience };
  let inVain = 0;
  const pauseAfter = (error: unknown, tried: number): number | undefined => {
    signal?.throwIfAborted();
    if (!(error instanceof PassingError)) return undefined;
    if (tried >= settings.tries) inVain += 1;
    if (tried >= settings.tries || inVain >= MOST_IN_VAIN) throw lastOf(error, tried);
    const ms = pauseOf(error, tried, settings);
    onWait(`${error.message}; next try in ${String(Math.ceil(ms / 1000))} s`);
    return ms;
  };
  return async (work) => {
    const done = await retry(work, { pauseAfter, sleep: SYSTEM_TOOLS.sleep, signal });
    inVain = 0;
    return done;
  };
}

function lastOf({ message }: PassingError, tried: number): ReadError {
  return new ReadError(tried === 1 ? message : `${message}, also at the last of ${String(tried)} tries`);
}

/** Pause before the next try, ms, spread at random. Throws `ReadError` if the server asks for one that is too long. */
function pauseOf(error: PassingError, tried: number, { firstPauseMs, longestPauseMs }: Patience): number {
  const { message, retryAfterMs: asked } = error;
  if (asked !== undefined && asked > longestPauseMs)
    throw new ReadError(
      `${message} and asks for a pause of ${String(Math.ceil(asked / 1000))} s, which is too long; try again later`,
    );
  const { random } = SYSTEM_TOOLS;
  return asked === undefined ? backoffMs(tried, { firstPauseMs, longestPauseMs, random }) : asked * (1 + random() / 4);
}
