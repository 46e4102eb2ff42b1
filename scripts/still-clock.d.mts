/** What a network takes of its surroundings, on a clock that stands still. */
export interface StillClock {
  /** Each pause that was asked for, ms; none is waited for. */
  readonly pauses: number[];
  /** Each limit of time that was asked for, ms; it is over when a test says so, and by itself never. */
  readonly timeouts: { readonly ms: number; over(): void }[];
  readonly tools: {
    now(): number;
    random(): number;
    sleep(ms: number): Promise<void>;
    timeout(ms: number): AbortSignal;
  };
}

/** A clock on which every pause is over at once, with one try as patient as the next. */
export declare function stillClock(): StillClock;
