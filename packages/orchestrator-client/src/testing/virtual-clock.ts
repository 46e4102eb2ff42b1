import type { Clock } from '../clock.ts';

interface Sleeper {
  readonly at: number;
  readonly wake: () => void;
}

/** Turns of the event loop without a new sleeper after which everybody is taken to sleep. */
const QUIET_TURNS = 4;

/**
 * A clock whose pauses take no time: as soon as nobody does anything but sleep, it jumps to the next waking. Requests that
 * are under way in real time hold it where `fetch` carries them.
 */
export class VirtualClock implements Clock {
  #time: number;
  #sleepers: Sleeper[] = [];
  #underWay = 0;
  #isTurning = false;

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
      this.#turn();
    });

  /** A `fetch` whose requests the clock waits for. */
  holding(fetch: typeof globalThis.fetch): typeof globalThis.fetch {
    return async (input, init) => {
      this.#underWay += 1;
      try {
        return await fetch(input, init);
      } finally {
        this.#underWay -= 1;
      }
    };
  }

  #turn(): void {
    if (this.#isTurning) return;
    this.#isTurning = true;
    void this.#turnOn();
  }

  async #turnOn(): Promise<void> {
    while (this.#sleepers.length > 0) {
      for (let quiet = 0; quiet < QUIET_TURNS || this.#underWay > 0; quiet++) {
        const before = this.#sleepers.length;
        await new Promise((settle) => setImmediate(settle));
        if (this.#sleepers.length !== before) quiet = -1;
      }
      const next = this.#sleepers.toSorted((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#time = Math.max(this.#time, next.at);
      this.#sleepers = this.#sleepers.filter((each) => each !== next);
      next.wake();
    }
    this.#isTurning = false;
  }
}
