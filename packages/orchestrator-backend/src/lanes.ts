/** Work of which only so much is under way at a time; the rest waits in its order. */
export interface Lanes {
  /** Resolves with the work's result; rejects as it does. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** Resolves as soon as one more would begin at once. */
  room(): Promise<void>;
}

/** Lanes for so much work at a time. */
export function createLanes(most: number): Lanes {
  let busy = 0;
  const waiting: (() => void)[] = [];
  const take = async (): Promise<void> => {
    if (busy >= most) await new Promise<void>((settle) => waiting.push(settle));
    else busy += 1;
  };
  const give = (): void => {
    const next = waiting.shift();
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
  };
}
