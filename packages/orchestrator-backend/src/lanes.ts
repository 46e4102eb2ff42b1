/** Work of which only so much is under way at a time; the rest waits in its order. */
export interface Lanes {
  /** Resolves with the work's result; rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves as soon as one more would begin at once. */
  room(): Promise<void>;
  /** Frees the lane of work that is under way during a wait. After it the work goes on in the next lane that no new work needs. */
  leave(wait: () => Promise<void>): Promise<void>;
}

/** Lanes for so much work at a time. */
export function createLanes(most: number): Lanes {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const returning: (() => void)[] = [];
  const take = async (queue = waiting): Promise<void> => {
    if (busy >= most) await new Promise<void>((settle) => queue.push(settle));
    else busy += 1;
  };
  const give = (): void => {
    const next = waiting.shift() ?? returning.shift();
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
    leave: async (wait) => {
      give();
      try {
        await wait();
      } finally {
        await take(returning);
      }
    },
  };
}
