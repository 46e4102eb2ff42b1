import { DomainError, type StartedRun } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';

/** A call that starts or joins a run over a region. */
export interface RegionStart {
  readonly caller: string;
  /** Text that is equal for identical calls. */
  readonly request: string;
}

/** Limits the number of simultaneous starts, because many starts would overload the database. */
export interface RegionStarts {
  /**
   * Starts a run when few other starts are in progress. Identical calls share a start. Throws `throttled` if too many
   * calls wait.
   */
  run(call: RegionStart, start: () => Promise<StartedRun>): Promise<StartedRun>;
  /**
   * Looks up the run of a callback when few other callbacks are looked up. Never throws `throttled`, because an
   * orchestrator's task may not retry.
   */
  find<T>(read: () => Promise<T>): Promise<T>;
}

const AT_ONCE = 2;
const MOST_CALLERS = 1000;
const RETRY_AFTER_SECONDS = 10;

const refuse = (): DomainError => {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new DomainError('throttled', 'Too many calls are waiting to be started; retry later.', { details });
};

/** Creates the queue of starts. `mostWaiting`: maximum number of waiting starts of one caller. */
export function createRegionStarts(mostWaiting: number): RegionStarts {
  const callers = createKeyedLimiter({ concurrency: 1, maxWaiting: mostWaiting, refuse });
  const all = createKeyedLimiter({ concurrency: AT_ONCE, maxWaiting: MOST_CALLERS, refuse });
  const callbacks = createKeyedLimiter({ concurrency: AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY, refuse });
  const starting = new Map<string, Promise<StartedRun>>();
  return {
    run: async ({ caller, request }, start) => {
      const other = starting.get(request);
      const same = other === undefined ? undefined : await other.catch(() => undefined);
      // If the identical call failed, this call starts a run itself, because the failure may concern only the other
      // caller.
      if (same !== undefined) return { ...same, joined: true };
      const started = callers.run(caller, () => all.run('all', start));
      if (!starting.has(request)) starting.set(request, started);
      try {
        return await started;
      } finally {
        if (starting.get(request) === started) starting.delete(request);
      }
    },
    find: (read) => callbacks.run('all', read),
  };
}
