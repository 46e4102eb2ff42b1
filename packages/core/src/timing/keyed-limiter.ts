import type { Timers } from './timers.ts';

/** Limits the concurrency of work with the same key. */
export interface KeyedLimiter {
  /**
   * Runs the task when its key has a free slot. Waiting tasks with the lowest `rank` run first. If too many wait, a
   * task with the highest `rank` is refused.
   */
  run<T>(key: string, work: () => Promise<T>, rank?: number): Promise<T>;
  readonly size: () => number;
}

/** Limits of a keyed limiter. */
export interface KeyedLimiterOptions {
  readonly concurrency: number;
  readonly maxWaiting: number;
  readonly refuse: () => Error;
  /** Random number in [0, 1), which chooses among tasks of equal rank. Default: order of arrival. */
  readonly random?: () => number;
  /** Maximum waiting time, after which a task is refused. Default: no limit. */
  readonly maxWait?: { readonly ms: number; readonly timers: Timers };
}

interface Waiting {
  readonly rank: number;
  readonly begin: () => void;
  readonly refuse: () => void;
}

interface KeyQueue {
  busy: number;
  readonly waiting: Waiting[];
}

/** Builds a limiter; a key uses memory only while it has work. */
export function createKeyedLimiter(options: KeyedLimiterOptions): KeyedLimiter {
  const queues = new Map<string, KeyQueue>();
  const leave = (key: string, queue: KeyQueue): void => {
    const next = take(queue, 'best', options);
    if (next !== undefined) return next.begin();
    queue.busy -= 1;
    if (queue.busy === 0) queues.delete(key);
  };
  return {
    run: async (key, work, rank = 0) => {
      const queue = queues.get(key) ?? { busy: 0, waiting: [] };
      queues.set(key, queue);
      if (queue.busy < options.concurrency) queue.busy += 1;
      else await wait(queue, rank, options);
      try {
        return await work();
      } finally {
        leave(key, queue);
      }
    },
    size: () => queues.size,
  };
}

async function wait(queue: KeyQueue, rank: number, options: KeyedLimiterOptions): Promise<void> {
  const { maxWait, refuse, maxWaiting } = options;
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const waiting: Waiting = { rank, begin: resolve, refuse: () => reject(refuse()) };
  queue.waiting.push(waiting);
  if (queue.waiting.length > maxWaiting) take(queue, 'worst', options)?.refuse();
  // Without `maxWait` there is no timer to end, so the `AbortController`, which is expensive, is not created.
  if (maxWait === undefined) return await promise;
  const over = new AbortController();
  const giveUp = (): void => {
    const at = queue.waiting.indexOf(waiting);
    if (at < 0) return;
    queue.waiting.splice(at, 1);
    waiting.refuse();
  };
  void maxWait.timers.sleep(maxWait.ms, over.signal).then(giveUp);
  try {
    await promise;
  } finally {
    over.abort();
  }
}

function take({ waiting }: KeyQueue, which: 'best' | 'worst', { random }: KeyedLimiterOptions): Waiting | undefined {
  const ranks = waiting.map(({ rank }) => rank);
  const wanted = which === 'best' ? Math.min(...ranks) : Math.max(...ranks);
  const equal = ranks.flatMap((rank, at) => (rank === wanted ? [at] : []));
  const byArrival = which === 'best' ? equal[0] : equal.at(-1);
  const at = random === undefined ? byArrival : equal[Math.floor(random() * equal.length)];
  return at === undefined ? undefined : waiting.splice(at, 1)[0];
}
