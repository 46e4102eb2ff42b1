import type { Run, RunEvent, RunStore } from '../ports/runs.ts';
import { createWakeSignal } from '../timing/wake-signal.ts';
import { retrying } from './retry.ts';
import { unknownRun } from './run-id.ts';
import type { RunSignals } from './signals.ts';
import type { Timers } from '../timing/timers.ts';
import { endsRun, hasEnded } from './transitions.ts';

const PAGE = 200;

/** Dependencies of a follower. */
export interface FollowerDeps {
  readonly runs: Pick<RunStore, 'get' | 'events'>;
  readonly signals: RunSignals;
  readonly timers: Timers;
  readonly followMs: number;
}

/** Waits for the end of runs, or yields their events. A poll every `followMs` finds changes without a signal. */
export interface Follower {
  readonly waitFor: (runId: string, signal: AbortSignal) => Promise<Run>;
  readonly subscribe: (runId: string, afterSeq: number, signal: AbortSignal) => AsyncGenerator<RunEvent, void>;
}

/** Builds a follower, which retries its reads while the store is unavailable. */
export function createFollower(deps: FollowerDeps): Follower {
  return {
    waitFor: (runId, signal) => waitFor(deps, runId, signal),
    subscribe: (runId, afterSeq, signal) => subscribe(deps, { runId, afterSeq }, signal),
  };
}

async function waitFor(deps: FollowerDeps, runId: string, signal: AbortSignal): Promise<Run> {
  const watch = watchRun(deps, runId, signal);
  try {
    for (;;) {
      signal.throwIfAborted();
      const changed = watch.changed();
      const run = await retrying(() => deps.runs.get(runId), { timers: deps.timers, signal });
      if (run === undefined) throw unknownRun(runId);
      if (hasEnded(run)) return run;
      await watch.sleep(changed);
    }
  } finally {
    watch.close();
  }
}

async function* subscribe(
  deps: FollowerDeps,
  from: { readonly runId: string; readonly afterSeq: number },
  signal: AbortSignal,
): AsyncGenerator<RunEvent, void> {
  const { runId } = from;
  const watch = watchRun(deps, runId, signal);
  let after = from.afterSeq;
  try {
    while (!signal.aborted) {
      const changed = watch.changed();
      // The run is read first, then the events: if the run has ended, all of its events are already stored.
      const policy = { timers: deps.timers, signal };
      const run = await retrying(() => deps.runs.get(runId), policy);
      const events = await retrying(() => deps.runs.events(runId, after, PAGE), policy);
      for (const event of events) {
        if (signal.aborted) return;
        yield event;
        after = event.seq;
        if (endsRun(event)) return;
      }
      if (events.length === PAGE) continue;
      if (run === undefined || hasEnded(run)) return;
      await watch.sleep(changed);
    }
  } finally {
    watch.close();
  }
}

interface Watch {
  /**
   * Returns a signal that aborts at the next change. Take it before you read the store: otherwise a change during the
   * read is lost.
   */
  readonly changed: () => AbortSignal;
  readonly sleep: (changed: AbortSignal) => Promise<void>;
  readonly close: () => void;
}

function watchRun({ signals, timers, followMs }: FollowerDeps, runId: string, signal: AbortSignal): Watch {
  const waker = createWakeSignal();
  const onChange = (id: string = runId): void => {
    if (id === runId) waker.wake();
  };
  signals.on('changed', onChange);
  signal.addEventListener('abort', waker.wake);
  return {
    changed: () => waker.signal,
    sleep: async (changed) => {
      if (!signal.aborted) await timers.sleep(followMs, changed);
    },
    close: () => {
      signals.off('changed', onChange);
      signal.removeEventListener('abort', waker.wake);
    },
  };
}
