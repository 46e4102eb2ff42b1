import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Number of rounds of the event loop without a new pause, after which the clock jumps. */
const IDLE_TURNS = 4;

/**
 * A clock whose pauses take no time: when all code pauses, the clock jumps to the end of the next pause. The clock does
 * not jump during a request of a `fetch` that `holding` returned.
 */
export class VirtualClock implements Clock {
  #time: number;
  #sleepers: Sleeper[] = [];
  #inFlight = 0;
  #isRunning = false;

  constructor(start = Date.UTC(2026, 10, 20, 12)) {
    this.#time = start;
  }

  readonly now = (): number => this.#time;

  readonly sleep = (ms: number, signal?: AbortSignal): Promise<void> =>
    new Promise((settle, reject) => {
      signal?.throwIfAborted();
      const stop = (): void => {
        this.#sleepers = this.#sleepers.filter((each) => each !== sleeper);
        reject(signal?.reason);
      };
      const wake = (): void => {
        signal?.removeEventListener('abort', stop);
        settle();
      };
      const sleeper: Sleeper = { at: this.#time + Math.max(ms, 0), wake };
      signal?.addEventListener('abort', stop, { once: true });
      this.#sleepers.push(sleeper);
      this.#startLoop();
    });

  /** Wraps `fetch`; the clock does not jump during its requests. */
  holding(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#inFlight += 1;
      try {
        return await fetch(input, init);
      } finally {
        this.#inFlight -= 1;
      }
    };
  }

  #startLoop(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    void this.#loop();
  }

  async #loop(): Promise<void> {
    while (this.#sleepers.length > 0) {
      for (let idle = 0; idle < IDLE_TURNS || this.#inFlight > 0; idle++) {
        const before = this.#sleepers.length;
        await new Promise((settle) => setImmediate(settle));
        if (this.#sleepers.length !== before) idle = -1;
      }
      const next = this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#time = Math.max(this.#time, next.at);
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.#isRunning = false;
  }
}
