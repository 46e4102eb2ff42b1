/** A clock, timers and random numbers for tests of network code. Time does not pass on this clock. */
export interface StillClock {
  /** Requested pauses, ms; each ends at once. */
  readonly pauses: number[];
  /** Requested timeouts, ms; a timeout fires only if the test calls `over`. */
  readonly timeouts: { readonly ms: number; over(): void }[];
  readonly tools: {
    now(): number;
    random(): number;
    sleep(ms: number): Promise<void>;
    timeout(ms: number): AbortSignal;
  };
}

/**
 * Creates a clock on which every pause ends at once. `random` always returns 1, so retry delays are not random.
 */
export declare function stillClock(): StillClock;
