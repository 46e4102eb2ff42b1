/** Runs work of one key at most `width` at a time, in the order of arrival; other keys do not wait for it. */
export interface Lanes {
  run<T>(key: string, work: () => Promise<T>): Promise<T>;
}

/** How wide lanes are, and how long. */
export interface LaneOptions {
  /** Works of one key at a time. */
  readonly width: number;
  /** Works of one key that may wait. */
  readonly maxWaiting: number;
  /** What further ones are refused with. */
  readonly refuse: () => Error;
}

interface Lane {
  busy: number;
  readonly waiting: (() => void)[];
}

/** Builds lanes; a key costs memory only while it has work. */
export function createLanes({ width, maxWaiting, refuse }: LaneOptions): Lanes {
  const lanes = new Map<string, Lane>();
  const leave = (key: string, lane: Lane): void => {
    const next = lane.waiting.shift();
    if (next !== undefined) return next();
    lane.busy -= 1;
    if (lane.busy === 0) lanes.delete(key);
  };
  return {
    run: async (key, work) => {
      const lane = lanes.get(key) ?? { busy: 0, waiting: [] };
      lanes.set(key, lane);
      if (lane.busy < width) lane.busy += 1;
      else if (lane.waiting.length < maxWaiting) await new Promise<void>((resolve) => lane.waiting.push(resolve));
      else throw refuse();
      try {
        return await work();
      } finally {
        leave(key, lane);
      }
    },
  };
}
