/** A clock, timers and random numbers for tests of network code. Time does not pass. */
export interface StillClock {
  /** Requested pauses, ms; each ends immediately. */
  readonly pauses: number[];
  /** Requested timeouts, ms. A timeout expires only when `over` is called. */
  readonly timeouts: { readonly ms: number; over(): void }[];
  readonly tools: {
    now(): number;
    random(): number;
    sleep(ms: number): Promise<void>;
    timeout(ms: number): AbortSignal;
  };
}

/** Creates a clock whose pauses end immediately. `random` always returns 1. */
export declare function stillClock(): StillClock;
