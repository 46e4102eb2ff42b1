import { DomainError, type StartedRun } from '@headwater/core';
import { createKeyedLimiter } from '@headwater/core/timing';

/** A call that starts or joins a run over a region. */
export interface RegionStart {
  /** Key of its caller. */
  readonly caller: string;
  /** Text that is equal for identical calls. */
  readonly request: string;
}

/** Starts runs of the work service one after the other, so that a crowd of calls does not occupy the database. */
export interface RegionStarts {
  /** Starts a run in turn; identical calls share a start that succeeds. Throws `throttled` if too many calls of the caller wait. */
  run(call: RegionStart, start: () => Promise<StartedRun>): Promise<StartedRun>;
  /** Looks up the run of a callback in turn; none is refused, because the task of an orchestrator may not retry. */
  find<T>(look: () => Promise<T>): Promise<T>;
}

/** Starts at the same time, of all callers. */
const AT_ONCE = 2;
/** Waiting starts of all callers; each caller has one of them. */
const MOST_CALLERS = 1000;
const RETRY_AFTER_SECONDS = 10;

const refuse = (): DomainError => {
  const details = { retryAfterSeconds: RETRY_AFTER_SECONDS };
  return new DomainError('throttled', 'Too many calls are waiting to be started; retry later.', { details });
};

/** Creates the queue; `mostWaiting`: waiting starts of one caller. */
export function createRegionStarts(mostWaiting: number): RegionStarts {
  const callers = createKeyedLimiter({ concurrency: 1, maxWaiting: mostWaiting, refuse });
  const all = createKeyedLimiter({ concurrency: AT_ONCE, maxWaiting: MOST_CALLERS, refuse });
  const callbacks = createKeyedLimiter({ concurrency: AT_ONCE, maxWaiting: Number.POSITIVE_INFINITY, refuse });
  const starting = new Map<string, Promise<StartedRun>>();
  return {
    run: async ({ caller, request }, start) => {
      const other = starting.get(request);
      const same = other === undefined ? undefined : await other.catch(() => undefined);
      // A start that failed may have failed for its own caller only, such as for its limit.
      if (same !== undefined) return { ...same, joined: true };
      const started = callers.run(caller, () => all.run('all', start));
      if (!starting.has(request)) starting.set(request, started);
      try {
        return await started;
      } finally {
        if (starting.get(request) === started) starting.delete(request);
      }
    },
    find: (look) => callbacks.run('all', look),
  };
}
