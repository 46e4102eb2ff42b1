/** Work of which only so much is under way at a time; the rest waits in its order. */
export interface Lanes {
  /** Resolves with the work's result; rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves as soon as one more would begin at once. */
  room(): Promise<void>;
  /**
   * Frees the lane of work that is under way during a wait. New work goes first then, but for every fourth free lane. Work whose signal has
   * aborted ends soon and counts as new.
   */
  withoutLane(wait: () => Promise<void>, signal?: AbortSignal): Promise<void>;
}

/** Of so many lanes that become free, one goes to work that returns from a wait. */
const TURNS = 4;

/** Lanes for so much work at a time. */
export function createLanes(most: number): Lanes {
  let busy = 0;
  let turn = 0;
  const waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (busy >= most) await new Promise<void>((settle) => waiting.push(settle));
    else busy += 1;
  };
  const takeAgain = async (signal: AbortSignal | undefined): Promise<void> => {
    const countAsNew = (): void => {
      const at = returning.indexOf(taken);
      if (at >= 0) waiting.push(...returning.splice(at, 1));
    };
    const { promise, resolve: taken } = Promise.withResolvers<void>();
    if (busy < most) return await take();
    (signal?.aborted === true ? waiting : returning).push(taken);
    signal?.addEventListener('abort', countAsNew, { once: true });
    await promise;
    signal?.removeEventListener('abort', countAsNew);
  };
  const give = (): void => {
    turn = (turn + 1) % TURNS;
    const [first, second] = turn === 0 ? [returning, waiting] : [waiting, returning];
    const next = first.shift() ?? second.shift();
    // The lane goes from hand to hand.
    if (next === undefined) busy -= 1;
    else next();
  };
  return {
    run: async (work) => {
      await take();
      try {
        return await work();
      } finally {
        give();
      }
    },
    room: async () => {
      await take();
      give();
    },
    withoutLane: async (wait, signal) => {
      give();
      try {
        await wait();
      } finally {
        await takeAgain(signal);
      }
    },
  };
}
