/** Clock and pauses of a client. */
export interface Clock {
  /** Epoch ms. */
  readonly now: () => number;
  /** Resolves after `ms`; rejects with the reason of an aborted signal. */
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
}

/** The clock of the machine. */
export const systemClock: Clock = { now: () => Date.now(), sleep };

/** Longest delay of `setTimeout`, ms; a longer delay would end immediately. */
const LONGEST_MS = 2 ** 31 - 1;

function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((settle, reject) => {
    signal?.throwIfAborted();
    const timer = setTimeout(done, Math.min(Math.max(ms, 0), LONGEST_MS));
    signal?.addEventListener('abort', stop, { once: true });
    function done(): void {
      signal?.removeEventListener('abort', stop);
      settle();
    }
    function stop(): void {
      clearTimeout(timer);
      reject(signal?.reason);
    }
  });
}
