/** What a network takes of its surroundings, on a clock that stands still. */
export interface StillClock {
  /** Each pause that was asked for, ms; none is waited for. */
  readonly pauses: number[];
  readonly tools: {
    now(): number;
    random(): number;
    sleep(ms: number): Promise<void>;
    timeout(ms: number): AbortSignal;
  };
}

/** A clock on which every pause is over at once, with one try as patient as the next. */
export declare function stillClock(): StillClock;
