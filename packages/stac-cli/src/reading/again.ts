import { setTimeout as pause } from 'node:timers/promises';
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
  return async (work) => {
    for (let tried = 1; ; tried++) {
      try {
        const done = await work();
        inVain = 0;
        return done;
      } catch (error) {
        signal?.throwIfAborted();
        if (!(error instanceof PassingError)) throw error;
        if (tried >= settings.tries) inVain += 1;
        if (tried >= settings.tries || inVain >= MOST_IN_VAIN) throw lastOf(error, tried);
        const ms = pauseAfter(error, tried, settings);
        onWait(`${error.message}; next try in ${String(Math.ceil(ms / 1000))} s`);
        await pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => signal?.throwIfAborted());
      }
    }
  };
}

function lastOf({ message }: PassingError, tried: number): ReadError {
  return new ReadError(tried === 1 ? message : `${message}, also at the last of ${String(tried)} tries`);
}

/** Milliseconds before the next try, spread so that those who were refused together do not come back together. Throws `ReadError` where it is too long. */
function pauseAfter(error: PassingError, tried: number, { firstPauseMs, longestPauseMs }: Patience): number {
  const { message, retryAfterMs: asked } = error;
  if (asked !== undefined && asked > longestPauseMs)
    throw new ReadError(
      `${message} and asks for a pause of ${String(Math.ceil(asked / 1000))} s, which is too long; try again later`,
    );
  const spread = Math.random() / 4;
  return asked === undefined ? firstPauseMs * 2 ** (tried - 1) * (1 - spread) : asked * (1 + spread);
}

/** Milliseconds that a `Retry-After` asks for at `nowMs`: seconds or an HTTP date (RFC 9110 10.2.3); undefined for anything else. */
export function retryAfterMs(text: string | null, nowMs: number): number | undefined {
  if (text === null) return undefined;
  if (/^\s*\d{1,9}\s*$/.test(text)) return Number(text) * 1000;
  // Engines read far more as dates than HTTP has: such a one begins with the name of a day. Its old form names no zone.
  const at = /^\s*[A-Z][a-z]+,? /.test(text) ? Date.parse(text.replace(/ \d{4}\s*$/, '$& GMT')) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - nowMs);
}
