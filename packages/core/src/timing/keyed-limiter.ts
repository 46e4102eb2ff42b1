import type { Timers } from './timers.ts';

/** Runs work of one key at most `concurrency` at a time; other keys do not wait for it. */
export interface KeyedLimiter {
  /** Whoever waits with the lowest rank is next (default: 0); where too many wait, one of the highest rank is refused. */
  run<T>(key: string, work: () => Promise<T>, rank?: number): Promise<T>;
  /** Number of keys that have work, under way or waiting. */
  readonly size: () => number;
}

/** How wide limiter are, and how long. */
export interface KeyedLimiterOptions {
  /** Works of one key at a time. */
  readonly concurrency: number;
  /** Works of one key that may wait. */
  readonly maxWaiting: number;
  /** What further ones are refused with. */
  readonly refuse: () => Error;
  /**
   * Numbers in [0, 1) that decide among those of one rank, so that nobody keeps others out by being first, or by being many for long.
   * Default: by arrival.
   */
  readonly random?: () => number;
  /** How long a work may wait; then it is refused. Default: as long as it takes. */
  readonly maxWait?: { readonly ms: number; readonly timers: Timers };
}

interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

interface Lane {
  busy: number;
  /** In the order of arrival. */
  readonly waiting: Waiting[];
}

/** Builds limiter; a key costs memory only while it has work. */
export function createKeyedLimiter(options: KeyedLimiterOptions): KeyedLimiter {
  const limiter = new Map<string, Lane>();
  const leave = (key: string, lane: Lane): void => {
    const next = take(lane, 'best', options);
    if (next !== undefined) return next.begin();
    lane.busy -= 1;
    if (lane.busy === 0) limiter.delete(key);
  };
  return {
    run: async (key, work, rank = 0) => {
      const lane = limiter.get(key) ?? { busy: 0, waiting: [] };
      limiter.set(key, lane);
      if (lane.busy < options.concurrency) lane.busy += 1;
      else await wait(lane, rank, options);
      try {
        return await work();
      } finally {
        leave(key, lane);
      }
    },
    size: () => limiter.size,
  };
}

async function wait(lane: Lane, rank: number, options: KeyedLimiterOptions): Promise<void> {
  const { maxWait, refuse, maxWaiting } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting: Waiting = { rank, begin: resolve, refuse: () => reject(refuse()) };
  lane.waiting.push(waiting);
  if (lane.waiting.length > maxWaiting) take(lane, 'worst', options)?.refuse();
  const over = new AbortController();
  const giveUp = (): void => {
    const at = lane.waiting.indexOf(waiting);
    if (at < 0) return;
    lane.waiting.splice(at, 1);
    waiting.refuse();
  };
  void maxWait?.timers.sleep(maxWait.ms, over.signal).then(giveUp);
  try {
    await promise;
  } finally {
    over.abort();
  }
}

/** Takes one out of the line: of those of the lowest (best) or highest rank by random, or the one that came first (best) or last. */
function take({ waiting }: Lane, which: 'best' | 'worst', { random }: KeyedLimiterOptions): Waiting | undefined {
  const ranks = waiting.map(({ rank }) => rank);
  const wanted = which === 'best' ? Math.min(...ranks) : Math.max(...ranks);
  const equal = ranks.flatMap((rank, at) => (rank === wanted ? [at] : []));
  const byArrival = which === 'best' ? equal[0] : equal.at(-1);
  const at = random === undefined ? byArrival : equal[Math.floor(random() * equal.length)];
  return at === undefined ? undefined : waiting.splice(at, 1)[0];
}
